import { expect, it } from 'vitest';
import { SharedLists } from '../../packages/intel/src/datasets/lists.ts';

it('a list that took long to make does not take the place of what came after it', async () => {
  const slow = Promise.withResolvers<void>();
  const used: (string | undefined)[] = [];
  const lists = new SharedLists(
    async (_list, rows) => {
      await slow.promise;
      return rows;
    },
    (_list, snapshot) => void used.push(snapshot && Buffer.from(snapshot).toString()),
  );
  const first = lists.set('vpn', 'a', Buffer.from('1'));
  await new Promise((resolve) => setTimeout(resolve, 5));
  const second = lists.set('vpn', 'a', undefined);
  await new Promise((resolve) => setTimeout(resolve, 5));
  slow.resolve();
  await Promise.all([first, second]);
  expect(used).toEqual(['1', undefined]);
});

it('a list that cannot be made keeps nobody from the next one', async () => {
  const used: string[] = [];
  const lists = new SharedLists(
    (_list, rows) => (rows.length > 1 ? Promise.reject(new Error('too long')) : Promise.resolve(rows)),
    (_list, snapshot) => void used.push(Buffer.from(snapshot!).toString()),
  );
  await expect(lists.set('vpn', 'a', Buffer.from('11'))).rejects.toThrow('too long');
  await lists.set('vpn', 'a', Buffer.from('1'));
  expect(used).toEqual(['1']);
});
