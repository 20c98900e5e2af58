import { readFileSync } from 'node:fs';
import { systemUser } from '@vedette/process/users';
import { expect, it } from 'vitest';

const ids = (directory: string) => Array.from({ length: 8 }, (_, seat) => systemUser(directory, seat)!.uid);

it('gives a directory eight users of its own, always the same ones', () => {
  expect(ids('/data')).toEqual(ids('/data'));
  expect(new Set([...ids('/data'), ...ids('/other')]).size).toBe(16);
  expect(systemUser('/data', 3)!.gid).toBe(systemUser('/data', 3)!.uid);
});

it('gives nobody the id of an account', () => {
  const accounts = new Set(
    readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => Number(line.split(':')[2])),
  );
  for (let n = 0; n < 200; n++) expect(ids(`/data/${n}`).filter((id) => accounts.has(id) || id < 60_578 || id > 2_147_352_575)).toEqual([]);
});
