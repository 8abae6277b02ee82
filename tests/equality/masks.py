# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What two runs of one build may print differently, each with the reason.

Nothing else is masked: every other byte of text and of files counts.
"""
import re

NUMBER = re.compile(rb"[0-9][-+.0-9e]*")

# Where numbers are replaced by a star, by key.
MASKED = {
    "wall_s of result.json and of `report --format json`":
        (re.compile(rb'"wall_s": \{[^{}]*\}'), "seconds that the host took"),
    "peak_rss_bytes of the same":
        (re.compile(rb'"peak_rss_bytes": [0-9]+'), "memory that the host gave"),
    "the line 'Host: load ...' that ends a run":
        (re.compile(rb"(?m)^Host: load .*$"), "the same seconds and memory as text"),
}


def masked(content, work):
    """Text without what depends on the host; `work` is the temporary folder, whose
    name is drawn anew for each record."""
    content = content.replace(str(work).encode(), b"<work>")
    for pattern, _ in MASKED.values():
        content = pattern.sub(lambda found: NUMBER.sub(b"*", found[0]), content)
    return content
