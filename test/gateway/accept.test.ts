import { expect, it } from 'vitest';
import { prefersEvents } from '../../packages/gateway/src/http/accept.ts';

it.each<[accept: string | undefined, events: boolean]>([
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['application/json', false],
  ['text/event-stream', true],
  ['TEXT/Event-Stream', true],
  // Both are taken as gladly: JSON. The reference page and generated clients sent this, and got a stream.
  ['application/json, text/event-stream', false],
  ['text/event-stream, application/json', false],
  ['text/event-stream;q=0.5, application/json;q=0.5', false],
  ['application/json, text/event-stream;q=0.1', false],
  ['application/json;q=0.9, text/event-stream', true],
  ['text/event-stream; q=0.5, application/json; q=0.4', true],
  ['application/json;q=0.1, text/event-stream;q=0', false],
  // What is more specific says more.
  ['text/event-stream, */*', false],
  ['text/event-stream, */*;q=0.5', true],
  ['text/*', true],
  ['text/*, */*', false],
  ['text/*, application/*;q=0.9', true],
  ['text/*;q=0.9, text/event-stream;q=0.1, application/json;q=0.5', false],
  ['text/event-stream, */*, application/json;q=0', true],
  ['text/event-stream;q=0, */*', false],
  ['text/event-stream;q=0', false],
  ['text/event-stream;q=0.000', false],
  ['text/html, application/xhtml+xml, */*;q=0.8', false],
  ['text/html', false],
  ['text/event-streams', false],
  // What is no weight is none.
  ['text/event-stream;q=2', true],
  ['text/event-stream;charset=utf-8;q=0.3, application/json;q=0.2', true],
])('Accept: %s is an event stream: %s (RFC 9110 §12.5.1)', (accept, events) => {
  expect(prefersEvents(accept)).toBe(events);
});
