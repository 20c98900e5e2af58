import { expect, it } from 'vitest';
import { IndicatorReader } from '../../../packages/intel/src/indicators/index.ts';

it('gathers from all parts of a message, each once, in the order met', async () => {
  const reader = new IndicatorReader();
  reader.text('See https://a.test/one and http://192.0.2.1/two');
  const { text, links } = reader.html('<a href="https://a.test/one">one</a> <a href="https://b.test/">two</a>');
  reader.address('Ann@A.test');
  expect(text).toBe('one two');
  expect(links).toEqual([
    { text: 'one', href: 'https://a.test/one' },
    { text: 'two', href: 'https://b.test/' },
  ]);
  expect(await reader.read()).toMatchObject({
    urls: ['https://a.test/one', 'http://192.0.2.1/two', 'https://b.test/'],
    with_ip_host: ['http://192.0.2.1/two'],
    emails: ['ann@a.test'],
    hosts: ['a.test', '192.0.2.1', 'b.test'],
    email_hosts: ['a.test'],
    limits: new Set(),
  });
});
