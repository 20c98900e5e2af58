import { expect, it } from 'vitest';
import { hostileMails, sendBeside } from '../system/hostile-mails.ts';
import { startWorld } from '../system/hostile-world.ts';
import { NO_BROWSER } from '../system/one-machine.ts';

const eml_base64 = Buffer.from('From: a@example.org\r\nSubject: Hello\r\n\r\nWords').toString('base64');

it('all hostile messages are answered or refused, and another account is served meanwhile', { timeout: 900_000 }, async () => {
  const world = await startWorld({ ...NO_BROWSER, VEDETTE_LIMITS: 'off' });
  try {
    const [[hostile], [other]] = [await world.account('hostile', 1), await world.account('other', 1)];
    const send = (eml: string, key: string | undefined) => world.post('eml-insights', { eml_base64: eml }, { 'x-api-key': key! });
    const mails = hostileMails(1);
    const { statuses, others } = await sendBeside(
      mails,
      (eml) => send(eml, hostile),
      () => send(eml_base64, other),
    );
    expect(statuses.filter((status) => status !== 200 && status !== 400)).toEqual([]);
    expect(others.filter((status) => status !== 200)).toEqual([]);
    expect(others.length).toBeGreaterThan(mails.length / 2);
  } finally {
    await world.close();
  }
});
