import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('no npm command runs TypeScript on the Node of the path, which may be an old one: npm 10 does not link the pinned one', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  expect(Object.entries(scripts).filter(([, command]) => /(^|&& |exec )node [^&]*\.ts\b/.test(command))).toEqual([]);
});
