import { askingOf, type Operation } from '@vedette/operations/kit';

/** The introduction of the reference page, in Markdown. */
export const introduction = (
  operations: readonly Operation[],
): string => `Threat and network intelligence. Every operation is one POST with a small JSON body, and its answer is one report.

# Keys
Send your key in the header \`X-API-Key\`. A key in a URL would end up in logs. Ten invalid keys within ten minutes block your address for an hour.

# Credits and quota
Only a 200 costs credits. A request also costs credits if its client disconnects after the work has begun. An unreachable target is a finding and
part of a report. A name with an inner address costs nothing: the answer is a 400, or a free report if the operation describes one. Each answer has
the header \`X-Service-Quota\`: \`limit=10000, remaining=9995, reset=1767225600, cost=5\`, with the reset in Unix seconds. Free operations:
${operations.flatMap(({ name, cost }) => (cost === 0 ? `\`${name}\`` : [])).join(', ')}.

# Locations
The operations *From many places* measure at every default location, or at the locations in \`locations\`: ids, \`country:DE\`, \`continent:EU\`, and \`!\`
to exclude. \`GET /v2/locations\` lists them. Every selected location has its entry in the report. If a location could not measure, \`reason\` and
\`error\` say why.

# Event streams
${operations.flatMap((operation) => (askingOf(operation) ? `\`${operation.name}\`` : [])).join(', ')} have an event stream,
for requests with \`Accept: text/event-stream\`. The first event, \`locations\`, names the chosen locations. A \`location\` event has the entry of each location
as it finishes. Last comes one \`report\` event with the whole report, or one \`error\` event, which is free. Ignore events with other names. \`x-event-stream\` names the schema of each event. A request with \`Last-Event-ID\` gets
a 204, so that an EventSource does not measure and pay again. Clients that accept JSON with equal preference get JSON.

# Bulk requests
${operations.flatMap(({ name, bulk }) => (bulk === undefined ? [] : `\`${name}\``)).join(', ')} take up to 500 items in one request:
\`POST /v2/<operation>/bulk\` with \`items\`. The answer has one line of JSON for each item, as soon as the item is done, with its own \`status\` and \`cost\`.

# Idempotency
With your own \`Idempotency-Key\` header, retries of a paid request are free for ten minutes. A retry gets the same answer
(\`Idempotency-Replayed: true\`). If no answer was stored, the request runs again once.
\`GET /v2/kept-answer\` with the same header only reads: it never runs the request again.

# Errors
Every answer other than 200 is \`{"error": "<sentence>", "code": "<code>"}\`, with \`param\` if a parameter is invalid. Branch on \`code\`: codes are
never reused. \`Retry-After\` says when to send the same request again. Without this header, waiting alone may not help.`;
