import { expect, it } from 'vitest';
import { IndicatorReader } from '@vedette/message/indicators';

it('reads what a calendar says, and none of its identifiers', async () => {
  const calendar = `BEGIN:VCALENDAR
PRODID:-//Google Inc//Google Calendar 70.9054//EN
BEGIN:VTIMEZONE
TZID:Europe/Berlin
TZURL:http://tzurl.org/zoneinfo-outlook/Europe/Berlin
END:VTIMEZONE
BEGIN:VEVENT
DTSTART;TZID=Europe/Berlin:20240115T103000
UID:0123456789abcdef@google.com
ORGANIZER;CN=Ann:mailto:Ann@a.test
ATTENDEE;CN=bob@b.test;X-NUM-GUESTS=0:mailto:bob@b.test
DESCRIPTION:Join https://meet.test/abc\\nCall +49 30 901820\\, PIN 12345678#\\nLong: https://long.te
 st/folded
LOCATION:https://zoom.test/j/123
URL:https://a.test/event
X-ALT-DESC;FMTTYPE=text/html:<a href="https://html.test/?a=1&amp;b=2">x</a>
CREATED:20240101T000000Z
END:VEVENT
END:VCALENDAR`;
  const reader = new IndicatorReader();
  reader.calendar(calendar.replaceAll('\n', '\r\n'));
  expect(await reader.read()).toMatchObject({
    urls: [
      'https://meet.test/abc',
      'https://long.test/folded',
      'https://zoom.test/j/123',
      'https://a.test/event',
      'https://html.test/?a=1&b=2',
    ],
    emails: ['ann@a.test', 'bob@b.test'],
    phone_numbers: ['+4930901820'],
  });
});
