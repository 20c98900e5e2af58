import { expect, it } from 'vitest';
import { parseDate } from '@vedette/message/mime';

it.each([
  // RFC 5322 §3.3, appendix A.
  ['Fri, 21 Nov 1997 09:55:06 -0600', '1997-11-21T09:55:06-06:00'],
  ['21 Nov 97 09:55:06 GMT', '1997-11-21T09:55:06+00:00'],
  ['Thu,\r\n 13\r\n Feb\r\n 1969\r\n 23:32\r\n -0330 (Newfoundland Time)', '1969-02-13T23:32:00-03:30'],
  ['Fri, 21 Nov 1997 09(comment): 55 : 06 -0600', undefined], // §A.6.3: nobody writes that.
  ['1 Jan 2026 00:00 +0000', '2026-01-01T00:00:00+00:00'],
  ['Thu, 31 Dec 2026 23:59:60 +0100', '2026-12-31T23:59:59+01:00'], // A leap second.
  // §4.3: years, names of zones, zones that tell nothing.
  ['1 Jan 49 10:00 EST', '2049-01-01T10:00:00-05:00'],
  ['1 Jan 50 10:00 EDT', '1950-01-01T10:00:00-04:00'],
  ['1 Jan 126 10:00 PDT', '2026-01-01T10:00:00-07:00'],
  ['1 Jan 2026 10:00 Z', '2026-01-01T10:00:00+00:00'],
  ['1 Jan 2026 10:00 A', '2026-01-01T10:00:00-00:00'],
  ['1 Jan 2026 10:00 -0000', '2026-01-01T10:00:00-00:00'],
  ['1 Jan 2026 10:00 CEST', '2026-01-01T10:00:00-00:00'],
  ['1 Jan 2026 10:00 constructor', '2026-01-01T10:00:00-00:00'],
  ['Tue, 17 Nov 2026 10:15:00', '2026-11-17T10:15:00-00:00'],
  // As others write them.
  ['Tuesday, 17-Nov-26 10:15:00 GMT', '2026-11-17T10:15:00+00:00'], // RFC 850.
  ['Tue Nov 17 10:15:00 2026', '2026-11-17T10:15:00-00:00'], // asctime.
  ['Tue Nov  7 10:15:00 EST 2026', '2026-11-07T10:15:00-05:00'], // date(1).
  ['Tue Nov 17 2026 10:15:00 GMT+0100 (CET)', '2026-11-17T10:15:00+01:00'], // JavaScript.
  ['2026-11-17T10:15:00Z', '2026-11-17T10:15:00+00:00'],
  ['2026-11-17T10:15:00.123+01:00', '2026-11-17T10:15:00+01:00'],
  ['2026-11-17 10:15:00 -0800', '2026-11-17T10:15:00-08:00'],
  ['Tue, 17 November 2026 10.15.00 +0100', '2026-11-17T10:15:00+01:00'],
  ['Tue, 17 Nov 2026 10:15:00 UTC+1', '2026-11-17T10:15:00+01:00'],
  ['Tue, 17 Nov 2026 10:15:00+0100', '2026-11-17T10:15:00+01:00'],
  ['Tue, 17 Nov 2026 10:15 PM +0100', '2026-11-17T22:15:00+01:00'],
  ['Tue, 17 Nov 2026 12:15 a.m. +0100', '2026-11-17T00:15:00+01:00'],
  ['Nov 17, 2026 10:15:00 +0545', '2026-11-17T10:15:00+05:45'],
  ['29 Feb 2028 10:15 +0000', '2028-02-29T10:15:00+00:00'],
  // No dates.
  ['', undefined],
  ['yesterday', undefined],
  ['17 Nov 2026', undefined],
  ['10:15:00 +0100', undefined],
  ['31 Nov 2026 10:15 +0000', undefined],
  ['29 Feb 2027 10:15 +0000', undefined],
  ['0 Nov 2026 10:15 +0000', undefined],
  ['17 Nov 2026 24:00 +0000', undefined],
  ['17 Nov 2026 10:60 +0000', undefined],
  ['17 Foo 2026 10:15 +0000', undefined],
  ['2026-13-01T10:15:00Z', undefined],
  ['1 Jan 1 10:15', undefined],
  [`${'x '.repeat(1_000)}17 Nov 2026 10:15:00`, undefined],
])('%j is %j', (raw, iso) => {
  expect(parseDate(raw)?.iso).toBe(iso);
});

it.each([
  ['Sun, 17 Nov 2026 00:00:59 -0800', { minutes: 0, weekday: 2 }], // The calendar knows better.
  ['Sun, 22 Nov 2026 23:59:00 +1400', { minutes: 1_439, weekday: 0 }],
])('minutes and weekday of %j are those of its own zone', (raw, expected) => {
  expect(parseDate(raw)).toMatchObject(expected);
});
