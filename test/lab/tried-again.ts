import { afterEach } from 'vitest';

// The reporters are silent about a test that passed only when it was tried again.
afterEach(({ task: { name, result } }) => {
  if (result?.retryCount) process.stderr.write(`tried again: ${name}\n${result.errors?.[0]?.message}\n`);
});
