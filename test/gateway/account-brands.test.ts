import { domainToASCII } from 'node:url';
import { speakerOf } from '@vedette/intel/identity';
import { judgeHostName, shippedNames } from '@vedette/intel/names';
import { judgeUsername } from '@vedette/mail/email';
import { expect, it } from 'vitest';
import { namesOfAccounts } from './parts.ts';
import { accountOf } from '../ledger/account.ts';

const BRANDS = 'Zündkraft; zuendkraft-konto.de; Zuendkraft Direkt; giro\n';
const [ours, theirs] = [{ ...accountOf('ours'), brands: BRANDS }, accountOf('theirs')];
const names = shippedNames();
const namesOf = namesOfAccounts(names);

/** What each operation judges by them. */
const judged = (account: typeof ours) => {
  const known = namesOf(account);
  return {
    lure: judgeHostName('zundkraft-login.com', known).identity?.rule,
    slip: judgeHostName('zundkrafft.com', known).identity?.rule,
    letters: judgeHostName(domainToASCII('zundkrаft.com'), known).homoglyph,
    own: judgeHostName('login.zuendkraft-konto.de', known).identity?.rule,
    user: judgeUsername('zundkraft.support', known).imitatesBrand,
    speaker: speakerOf('Zündkraft Support', known.brands())?.brand.name,
    shipped: judgeHostName('paypal-login.com', known).identity?.rule,
    slipOfShipped: judgeHostName('paypall.com', known).typosquat,
  };
};

it('knows the brands of an account for that account alone', () => {
  const shipped = { shipped: 'brand_and_lure', slipOfShipped: expect.stringContaining('paypal') };
  const nothing = { lure: undefined, slip: undefined, letters: 'mixed scripts', own: undefined, user: false, speaker: undefined };
  expect(judged(theirs)).toEqual({ ...nothing, ...shipped });
  expect(judged(ours)).toEqual({
    ...shipped,
    lure: 'brand_and_lure',
    slip: 'slip',
    letters: 'zundkraft',
    own: undefined,
    user: true,
    speaker: 'Zündkraft',
  });
  expect(judged(theirs)).toEqual({ ...nothing, ...shipped });
  expect(judged({ ...ours, brands: '' })).toEqual({ ...nothing, ...shipped });
});

it('makes its table once, and anew where the text or the common brands change', () => {
  const [first, again] = [namesOf(ours).brands(), namesOf({ ...ours }).brands()];
  expect(again).toBe(first);
  expect(
    namesOf({ ...ours, brands: `${BRANDS}Other Firm; other-firm.com` })
      .brands()
      .token('otherfirm')?.brand.name,
  ).toBe('Other Firm');
  names.setBrands('operator', new TextEncoder().encode('third-firm.com\tThird Firm\t!thirdfirm\t\t'));
  expect(namesOf(ours).brands().token('thirdfirm')?.brand.name).toBe('Third Firm');
  expect(namesOf(ours).brands().token('zundkraft')?.brand.name).toBe('Zündkraft');
});

it('adds to a brand that all accounts have', () => {
  const known = namesOf({ ...accountOf('partner'), brands: 'PayPal; paypal-partner.de; ; ratenkauf' }).brands();
  const brand = known.token('paypal')?.brand;
  expect([known.ownerOf('paypal.com'), known.ownerOf('paypal-partner.de'), known.token('paypal')?.isOften]).toEqual([brand, brand, true]);
  expect(brand?.domains).toEqual(expect.arrayContaining(['paypal.com', 'paypal-partner.de']));
  expect(speakerOf('PayPal Ratenkauf', known)?.brand).toBe(brand);
  expect(names.brands().ownerOf('paypal-partner.de')).toBeUndefined();
});
