"""Lists in pages, the newest first."""

LARGEST, LARGEST_LINKED = 100, 10


def plain(items, number, size):
    """Who wants the next page asks for its number."""
    return _page(items, number, min(size, LARGEST))


def linked(items, number, size):
    """Small pages with a link to the next; the last page has no links at all."""
    size = min(size, LARGEST_LINKED)
    page = _page(items, number, size)
    if number * size < len(items):
        page["links"] = {"next": f"?page[number]={number + 1}&page[size]={size}"}
    return page


def _page(items, number, size):
    newest_first = list(reversed(items))
    return {"data": newest_first[(number - 1) * size : number * size], "meta": {"total": len(items)}}
