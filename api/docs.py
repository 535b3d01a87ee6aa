"""The OpenAPI document and the reference pages, which load nothing from elsewhere."""

from collections.abc import Iterable
from importlib.resources import files
from typing import Final

from litestar import get
from litestar.exceptions import NotFoundException
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath
from litestar.types import ASGIApp

from api.answers import JSON, LASTING, Answer
from api.document import document
from api.operations import Operation
from domain.chain import canonical

ASSETS: Final = files("swagger_ui_bundle") / "vendor" / "swagger-ui-5.31.0"

SERVED: Final = {
    "swagger-ui.css": "text/css",
    "swagger-ui-bundle.js": "text/javascript",
    "favicon-32x32.png": "image/png",
}

PAGE: Final = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Misère: reference</title>
<link rel="icon" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script>
  SwaggerUIBundle({
    url: "/openapi.json",
    dom_id: "#reference",
    deepLinking: true,
    validatorUrl: null,
  });
</script>
</html>
"""


def reference(operations: Iterable[Operation]) -> list[HTTPRouteHandler]:
    """The handlers of `/openapi.json` and `/docs`."""
    described = canonical(document(operations))

    @get("/openapi.json")
    async def read_document() -> ASGIApp:
        return Answer(described, 200, JSON, LASTING)

    @get("/docs")
    async def read_reference() -> ASGIApp:
        return Answer(PAGE.encode(), 200, "text/html; charset=utf-8", LASTING)

    @get("/docs/{asset:str}")
    async def read_asset(asset: FromPath[str]) -> ASGIApp:
        if asset not in SERVED:
            raise NotFoundException
        return Answer((ASSETS / asset).read_bytes(), 200, SERVED[asset], LASTING)

    return [read_document, read_reference, read_asset]
