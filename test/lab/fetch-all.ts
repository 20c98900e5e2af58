/** Fetches the URLs of a JSON list on standard input, one after the other, and prints what they answered, as a JSON list of `[status, text]`. */
import { text } from 'node:stream/consumers';

const answers: [number, string][] = [];
for (const url of JSON.parse(await text(process.stdin)) as string[]) {
  const response = await fetch(url);
  answers.push([response.status, await response.text()]);
}
process.stdout.write(JSON.stringify(answers));
