import { NumberList } from '../phone/index.ts';
import { takeAll } from './rows.ts';
import { defineDataset } from './define.ts';

/** Numbers are returned and reassigned: a number published a year before the list was made belongs to another subscriber. */
const NUMBER_KEPT_MS = 365 * 86_400_000;

/** Telephones of firms and offices that many call, in E.164 without the plus: Apple, Google, Microsoft, FedEx, UPS, the White House, the BBC, the HMRC. */
const NEVER_DISPOSABLE_NUMBERS: ReadonlySet<string> = new Set(
  '18002752273 16502530000 14258828080 18004633339 18007425877 12024561414 442087438000 443002003300'.split(' '),
);

/** Telephone numbers with public inboxes. */
export const disposableNumbers = defineDataset({
  name: 'disposable_numbers',
  rules: 2,
  async build(file) {
    const seen = new Map<string, number>();
    let newest = 0;
    let forbidden: string | undefined;
    const counts = await takeAll(file, ([number = '', day = '']) => {
      const time = Date.parse(day);
      if (!/^[1-9]\d{6,14}$/.test(number) || Number.isNaN(time)) return false;
      if (NEVER_DISPOSABLE_NUMBERS.has(number)) forbidden ??= number;
      seen.set(number, time);
      newest = Math.max(newest, time);
      return true;
    });
    const recent = Array.from(seen).filter(([, time]) => newest - time <= NUMBER_KEPT_MS);
    return { ...counts, forbidden, bytes: NumberList.compile(recent.map(([number]) => number)).bytes };
  },
  open: ({ phones }) => ({
    use: ({ name }, snapshot) => phones.setDisposable(name, new NumberList(snapshot)),
    drop: ({ name }) => phones.setDisposable(name, undefined),
  }),
});
