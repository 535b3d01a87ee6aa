"""The OpenAPI document and the reference pages, which load nothing from elsewhere."""

from collections.abc import Iterable
from importlib.resources import files
from typing import Final

from litestar import MediaType, Response, get
from litestar.exceptions import NotFoundException
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from api.calls import LASTING
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
    async def read_document() -> Response[bytes]:
        return Response(described, media_type="application/json", headers=LASTING)

    @get("/docs", media_type=MediaType.HTML)
    async def read_reference() -> Response[str]:
        return Response(PAGE, headers=LASTING)

    @get("/docs/{asset:str}")
    async def read_asset(asset: FromPath[str]) -> Response[bytes]:
        if asset not in SERVED:
            raise NotFoundException
        content = (ASSETS / asset).read_bytes()
        return Response(content, media_type=SERVED[asset], headers=LASTING)

    return [read_document, read_reference, read_asset]
