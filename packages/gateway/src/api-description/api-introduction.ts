/** What a reader of the reference page is told first, in Markdown. */
export const INTRODUCTION = `Threat and network intelligence. Every operation is one POST with a small JSON body, and its answer is one report.

# Keys
Send your key in the header \`X-API-Key\`. In a URL it would end up in logs. Ten bad keys within ten minutes block your address for an hour.

# Credits and quota
Only a 200 costs credits, and a request whose client leaves once its work has begun. That the target cannot be reached is a finding, and part of a
report. A name that leads to an inner address costs nothing: the request is a 400, or, in ping-test and site-trust, a free report. \`X-Service-Quota\` says after each request what is left: \`limit=10000, remaining=9995, reset=1767225600, cost=5\`, with the reset in Unix
seconds. \`account-info\` says the same at length, for nothing.

# Locations
The operations *From many places* are measured at every default location, or where \`locations\` says: ids, \`country:DE\`, \`continent:EU\`, and \`!\`
before what is left out. \`GET /v2/locations\` lists them. Every selected location has its entry in the report; one that could not measure says why
in \`reason\` and \`error\`.

# Event streams
With \`Accept: text/event-stream\` these operations send each location as it finishes, a \`location\` event with its entry, and then one \`report\` event
with the whole report, or one \`error\` event, which is free. \`x-event-stream\` names the schema of each. A request with \`Last-Event-ID\` is answered
with 204, so that an EventSource does not ask and pay again. Whoever takes JSON as gladly gets JSON.

# Idempotency
With an \`Idempotency-Key\` of your own in the header a retry of a paid request is free for ten minutes: it gets the same answer
(\`Idempotency-Replayed: true\`), or, where none was kept, runs again once.

# Errors
Every answer that is not a 200 is \`{"error": "<sentence>", "code": "<code>"}\`, with \`param\` where a parameter is wrong. Branch on \`code\`: it is never
reused. \`Retry-After\` says when the same request may do better. Without it waiting alone is not known to help.`;
