import { expect, it } from 'vitest';
import { htmlOf } from '../../../packages/intel/src/indicators/index.ts';

it('says what a reader sees, a line for each block', () => {
  const html = `<html><head><title>Not the text</title><style>p { color: red }</style></head>
    <body><h1>Your&nbsp;invoice</h1><p>Dear   Ann,<br>please pay.</p><table><tr><td>Sum</td><td>12&euro;</td></tr></table>
    <script>var a = '<p>never</p>';</script></body></html>`;
  expect(htmlOf(html).text).toBe('Your invoice\nDear Ann,\nplease pay.\nSum 12€');
});
