import { cut, LiveLines, printable, printableJson, reportLines, type Terminal, widthOf } from '@vedette/cli/show';
import { expect, it, vi } from 'vitest';

it.each([
  ['an escape sequence', '\u001b[31mred\u001b[0m', '[31mred[0m'],
  ['a title', '\u001b]0;x\u0007', ']0;x'],
  ['a control of eight bits', '\u009b2Jx', '2Jx'],
  ['turned text', 'a\u202eb\u2066c\u200f', 'abc'],
  ['letters without width', 'a\u200b\ufeff\u2060b\u3164', 'ab'],
  ['lines', 'a\r\nb\u2028c', 'a bc'],
  ['tags', 'a\u{e0041}b', 'ab'],
])('takes %s out of what strangers wrote', (_what, text, plain) => {
  expect(printable(text)).toBe(plain);
});

it('escapes them in JSON, whose value stays the same', () => {
  const value = { a: '\u001b\u009b\u202e\u200b\u{e0041}', b: 'ü 漢 😀' };
  const text = printableJson(value);
  expect(text).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
  expect(text).toContain('ü 漢 😀');
  expect(JSON.parse(text)).toEqual(value);
});

it.each([
  ['abc', 3],
  ['漢字', 4],
  ['é', 1],
  ['e\u0301', 1],
  ['😀', 2],
  ['ｆｕ', 4],
])('%s takes %d columns', (text, columns) => {
  expect(widthOf(text)).toBe(columns);
});

it('cuts to columns, not letters', () => {
  expect(cut('abcdef', 4)).toBe('abc…');
  expect(cut('漢字漢字', 5)).toBe('漢字…');
  expect(cut('漢字漢字', 4)).toBe('漢…');
  expect(cut('abc', 3)).toBe('abc');
  expect(widthOf(cut('x'.repeat(1_000_000), 80))).toBe(80);
});

it('cuts every line of a report to the columns, and long lists to a hundred rows', () => {
  const rows = Array.from({ length: 500 }, (_, i) => ({ i, text: '漢'.repeat(200) }));
  const lines = reportLines({ host: 'a.test', rows, empty: [], none: null }, 60);
  expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(60);
  expect(lines).toHaveLength(3 + 1 + 1 + 100 + 1);
  expect(lines.at(-1)).toBe('  … 400 more: --json has all');
});

it('draws at most ten times a second, and no more lines than there is room for', () => {
  vi.useFakeTimers();
  try {
    const written: string[] = [];
    const terminal: Terminal = { columns: 10, rows: 4, write: (text) => void written.push(text) };
    const live = new LiveLines(terminal, false);
    for (let i = 0; i < 1000; i++) {
      live.show(Array.from({ length: 9 }, (_, line) => ({ text: `line ${line} of ${i}` })));
      vi.advanceTimersByTime(1);
    }
    expect(written.length).toBeLessThanOrEqual(11);
    expect(written.at(-1)).toBe('\u001b[3F\u001b[Jline 0 of…\n… 7 more …\nline 8 of…\n');
    live.close([{ text: 'done' }]);
    expect(written.slice(-2)).toEqual(['\u001b[3F\u001b[Jdone\n', '\u001b[?25h']);
  } finally {
    vi.useRealTimers();
  }
});
