import { appendFileSync } from 'node:fs';
import { afterEach } from 'vitest';

// The reporters are silent about a test that passed only when it was tried again; `scripts/test.ts` prints these at its end.
afterEach(({ task: { name, file, result } }) => {
  if (!result?.retryCount) return;
  const told = `${file.name}: ${name}: ${result.errors?.[0]?.message.split('\n')[0]}\n`;
  const list = process.env['TRIED_AGAIN_LIST'];
  if (list) appendFileSync(list, told);
  else process.stderr.write(`tried again: ${told}`);
});
