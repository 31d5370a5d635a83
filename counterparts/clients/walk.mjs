// Sends the requests it is given with the protocol's TypeScript SDK, and prints what came.
//
// One argument: {"command", "args", "env", "requests"} as JSON.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";

const { command, args, env, requests } = JSON.parse(process.argv[2]);

const client = new Client(
  { name: "counterparts", version: "1" },
  { capabilities: { sampling: {}, elicitation: { form: {}, url: {} }, roots: { listChanged: true } } },
);
const seen = new Map();
const note = (method) => seen.set(method, (seen.get(method) ?? 0) + 1);
let rooted;
const roots = new Promise((resolve) => (rooted = resolve));

client.setRequestHandler(CreateMessageRequestSchema, () => {
  note("sampling/createMessage");
  return { role: "assistant", model: "none", content: { type: "text", text: "Because." } };
});
client.setRequestHandler(ElicitRequestSchema, () => {
  note("elicitation/create");
  return { action: "accept", content: { name: "Ada", interpretation: "x" } };
});
client.setRequestHandler(ListRootsRequestSchema, () => {
  note("roots/list");
  setTimeout(rooted, 0);
  return { roots: [{ uri: "file:///a", name: "a" }] };
});
client.fallbackNotificationHandler = async ({ method }) => note(method);

/// The SDK's own function for each method.
const send = {
  "ping": () => client.ping(),
  "tools/list": () => client.listTools(),
  "tools/call": (params) => (params.task ? throughTask(params) : called(params)),
  "resources/list": () => client.listResources(),
  "resources/templates/list": () => client.listResourceTemplates(),
  "resources/read": (params) => client.readResource(params),
  "resources/subscribe": (params) => client.subscribeResource(params),
  "resources/unsubscribe": (params) => client.unsubscribeResource(params),
  "prompts/list": () => client.listPrompts(),
  "prompts/get": (params) => client.getPrompt(params),
  "completion/complete": (params) => client.complete(params),
  "logging/setLevel": ({ level }) => client.setLoggingLevel(level),
  "tasks/list": () => client.experimental.tasks.listTasks(),
  "tasks/get": ({ taskId }) => client.experimental.tasks.getTask(taskId),
};

async function called(params) {
  const progress = [];
  const onprogress = params._meta ? (step) => progress.push(step) : undefined;
  const result = await client.callTool(params, undefined, { onprogress });
  // A step that comes together with the result may not be told.
  return progress.length ? { result, progress: progress.slice(0, 3) } : result;
}

async function throughTask(params) {
  const messages = [];
  const stream = client.experimental.tasks.callToolStream(params, undefined, { task: params.task });
  for await (const message of stream) {
    // How often it says that it works is chance.
    if (message.type === "result" || message.type === "error") messages.push(message);
  }
  return messages;
}

await client.connect(new StdioClientTransport({ command, args, env, stderr: "ignore" }));
await roots;
const answers = [{ method: "initialize", result: client.getServerCapabilities() }];
for (const { method, params } of requests) {
  if (!send[method]) continue;
  const answer = { method, name: params?.name ?? params?.uri ?? "" };
  try {
    answer.result = await send[method](params ?? {});
  } catch (error) {
    answer.error = `${error.code ?? error.name}: ${error.message}`;
  }
  answers.push(answer);
}
await client.close();
console.log(JSON.stringify({ answers, seen: Object.fromEntries([...seen].sort()) }));
