"""Sends the requests it is given with the protocol's Python SDK, and prints what came.

One argument: {"command", "args", "env", "requests"} as JSON.
"""

import asyncio
import json
import sys

from mcp import ClientSession, StdioServerParameters, stdio_client, types

GIVEN = json.loads(sys.argv[1])
SEEN: dict[str, int] = {}
ROOTED = asyncio.Event()


def note(method: str) -> None:
    SEEN[method] = SEEN.get(method, 0) + 1


async def sampled(_context, _params):
    note("sampling/createMessage")
    content = types.TextContent(type="text", text="Because.")
    return types.CreateMessageResult(role="assistant", model="none", content=content)


async def elicited(_context, _params):
    note("elicitation/create")
    return types.ElicitResult(action="accept", content={"name": "Ada", "interpretation": "x"})


async def rooted(_context):
    note("roots/list")
    ROOTED.set()
    return types.ListRootsResult(roots=[types.Root(uri="file:///a", name="a")])


async def handled(message):
    if isinstance(message, Exception):
        note(f"error: {message}")
    elif hasattr(message, "method"):
        note(message.method)


async def called(session, params):
    progress = []

    async def stepped(done, total, message):
        progress.append([done, total, message])

    callback = stepped if "_meta" in params else None
    result = await session.call_tool(
        params["name"], params["arguments"], progress_callback=callback
    )
    # A step that comes together with the result may not be told.
    return {"result": plain(result), "progress": progress[:3]} if progress else result


async def completed(session, params):
    kinds = {
        "ref/prompt": types.PromptReference,
        "ref/resource": types.ResourceTemplateReference,
    }
    reference = kinds[params["ref"]["type"]](**params["ref"])
    context = params.get("context", {}).get("arguments")
    return await session.complete(reference, params["argument"], context)


# The SDK's own function for each method.
SEND = {
    "ping": lambda session, _: session.send_ping(),
    "tools/list": lambda session, _: session.list_tools(),
    "tools/call": called,
    "resources/list": lambda session, _: session.list_resources(),
    "resources/templates/list": lambda session, _: session.list_resource_templates(),
    "resources/read": lambda session, params: session.read_resource(params["uri"]),
    "resources/subscribe": lambda session, params: session.subscribe_resource(params["uri"]),
    "resources/unsubscribe": lambda session, params: session.unsubscribe_resource(params["uri"]),
    "prompts/list": lambda session, _: session.list_prompts(),
    "prompts/get": lambda session, params: session.get_prompt(
        params["name"], params.get("arguments")
    ),
    "completion/complete": completed,
    "logging/setLevel": lambda session, params: session.set_logging_level(params["level"]),
}


def plain(value):
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json", by_alias=True, exclude_none=True)
    return value


async def main():
    server = StdioServerParameters(
        command=GIVEN["command"], args=GIVEN["args"], env=GIVEN["env"]
    )
    answers = []
    with open("/dev/null", "w") as quiet:
        async with (
            stdio_client(server, errlog=quiet) as (read, write),
            ClientSession(
                read,
                write,
                sampling_callback=sampled,
                elicitation_callback=elicited,
                list_roots_callback=rooted,
                message_handler=handled,
            ) as session,
        ):
            opened = await session.initialize()
            answers.append({"method": "initialize", "result": plain(opened)})
            await asyncio.wait_for(ROOTED.wait(), 20)
            for request in GIVEN["requests"]:
                method, params = request["method"], request.get("params", {})
                if method not in SEND or "task" in params:
                    continue
                answer = {"method": method, "name": params.get("name", params.get("uri", ""))}
                try:
                    answer["result"] = plain(await SEND[method](session, params))
                except Exception as error:  # an error is an answer too
                    answer["error"] = f"{type(error).__name__}: {error}"
                answers.append(answer)
    print(json.dumps({"answers": answers, "seen": dict(sorted(SEEN.items()))}))


asyncio.run(main())
