import { describe, expect, it } from 'vitest';
import { isMarkedUrgent, urgencyOf } from '../../../packages/message/src/message/words/urgency.ts';
import { PRESSING, type PressingKind } from '../../../packages/message/src/message/words/urgency-phrases.ts';

const of = (subject: string, text = '', marked = false) => urgencyOf({ subject, texts: [text], marked });

describe('ordinary mail presses little', () => {
  it.each([
    [
      'Reset your password',
      'Someone asked to reset your password. The link expires in 1 hour. If that was not you, you can ignore this message.',
    ],
    ['New sign-in', 'A new sign-in to your account from Chrome on Windows. If this was not you, secure your account immediately.'],
    ['Sale', 'Hurry, only 3 hours left! 50% off everything ends tonight. Last chance.'],
    ['Invoice 2026-117', 'Please find attached the invoice. Payment is due within 14 days by bank transfer.'],
    ['Re: Minutes', 'Not urgent, but could you have a look at this when you have time?'],
    ['Out of office', 'I am out of the office until 30 November. In urgent cases please call my colleague.'],
    ['Ticket 4711', 'We have received your request and will respond within 24 hours.'],
    ['Protokoll', 'Anbei das Protokoll. Es ist nicht dringend, bitte bis Freitag lesen.'],
    ['Scheduled maintenance tonight', 'The service will be unavailable tonight from 22:00 to 23:00. No action is required.'],
    [
      'Your payment was declined',
      'Please update your payment details. We will try again in 3 days, and if that fails your account will be cancelled on 21 October.',
    ],
    ['Delivery', 'Your parcel will be delivered tomorrow between 9 and 12.'],
    ['', ''],
  ])('%s', (subject, text) => {
    expect(of(subject, text)).toBe('low');
  });
});

describe('two kinds of pressure are medium', () => {
  it.each([
    ['Reminder', 'Your trial expires tomorrow. You will lose access to your projects.'],
    ['Urgent: server room', 'The air conditioning is off.'],
    ['Action required: verify your email address', 'Thanks for signing up! Please confirm your email address within 24 hours.'],
    ['Mahnung', 'Letzte Mahnung: Bitte überweisen Sie umgehend.'],
    ['Rechnung: neue Bankverbindung', 'Bitte behandeln Sie dies vertraulich.'],
    ['Quick question', 'Are you available? I need you to get some gift cards for a client.'],
  ])('%s', (subject, text) => {
    expect(of(subject, text)).toBe('medium');
  });
});

describe('three are high, in each language', () => {
  it.each([
    ['en', 'Action required', 'Your account will be suspended within 24 hours. Verify your identity immediately.'],
    ['en', 'Urgent request', 'I am in a meeting and cannot talk. Process this wire transfer before the end of the day.'],
    ['de', 'Ihr Konto wurde gesperrt', 'Bestätigen Sie Ihre Daten sofort. Innerhalb von 48 Stunden wird Ihr Zugang gelöscht.'],
    [
      'fr',
      'Urgent : votre compte',
      'Votre compte sera suspendu. Vous avez 24 heures : confirmez immédiatement, dans 24 heures il sera supprimé.',
    ],
    ['es', 'Acción inmediata', 'Su cuenta será bloqueada. Verifique ahora sus datos dentro de 24 horas.'],
    ['it', 'Ultimo avviso', 'Il suo conto sarà bloccato entro 24 ore. Verifica subito i tuoi dati.'],
    ['pt', 'Último aviso', 'A sua conta será bloqueada em 24 horas. Confirme agora os seus dados.'],
    ['nl', 'Laatste waarschuwing', 'Uw rekening wordt geblokkeerd. Bevestig uw gegevens direct binnen 24 uur.'],
  ])('%s: %s', (_language, subject, text) => {
    expect(of(subject, text)).toBe('high');
  });
});

it('sees through letters that only look plain, and characters that are not seen', () => {
  expect(of('𝐔𝐫𝐠𝐞𝐧𝐭', 'Your acc\u00adount will be sus\u200bpended.')).toBe('high');
});

it('counts the mark of the sender as one kind', () => {
  expect([of('Minutes', '', true), of('Minutes', 'Please reply immediately.', true)]).toEqual(['low', 'medium']);
});

const unmarked = { importance: '', priority: '', xPriority: '', xMsMailPriority: '' };
it.each([
  [{ importance: 'High' }, true],
  [{ importance: 'normal' }, false],
  [{ priority: 'urgent' }, true],
  [{ priority: 'non-urgent' }, false],
  [{ xPriority: '1 (Highest)' }, true],
  [{ xPriority: '2' }, true],
  [{ xPriority: '3 (Normal)' }, false],
  [{ xPriority: '10' }, false],
  [{ xMsMailPriority: 'High' }, true],
  [{ xMsMailPriority: 'Normal' }, false],
])('%j marks as urgent: %s', (fields, marked) => {
  expect(isMarkedUrgent({ ...unmarked, ...fields })).toBe(marked);
});

describe('kinds of pressing words', () => {
  it.each<[PressingKind, string, string]>([
    ['call', 'please act now', 'the first act is over. Now the second begins'],
    ['call', 'reply to this e-mail immediately', 'please reply. It is immediately available'],
    ['deadline', 'within the next 72 hours', 'within the next 96 hours'],
    ['deadline', 'in 3 days', 'in 30 days'],
    ['deadline', 'your password expires today', 'your password expires next year'],
    ['consequence', 'it will be permanently deleted', 'it will be delivered'],
    ['consequence', 'to avoid legal action', 'to avoid traffic'],
    ['payment', 'send me Apple gift cards', 'thank you for the gift'],
    ['payment', 'our new bank details', 'our new office'],
    ['secrecy', 'keep this strictly confidential', 'this e-mail may be confidential'],
    ['secrecy', 'do not discuss this with anyone', 'do not discuss the weather'],
  ])('%s: "%s", not "%s"', (kind, hit, miss) => {
    expect([PRESSING[kind].inText(hit), PRESSING[kind].inText(miss)]).toEqual([true, false]);
  });
});
