import { describe, expect, it } from 'vitest';
import { linkUnsubscribes, textUnsubscribes } from '../../../packages/message/src/message/head/unsubscribe.ts';

describe('links', () => {
  it.each([
    ['Unsubscribe', 'https://click.example.org/u/123', true],
    ['here', 'https://example.org/unsubscribe?id=1', true],
    ['click here', 'mailto:leave@example.org?subject=unsubscribe', true],
    ['Vom Newsletter abmelden', 'https://example.org/n', true],
    ['Se désinscrire', 'https://example.org/n', true],
    ['Darse de baja', 'https://example.org/n', true],
    ['Annulla la tua iscrizione', 'https://example.org/n', true],
    ['Cancelar a inscrição', 'https://example.org/n', true],
    ['Uitschrijven', 'https://example.org/n', true],
    ['Subscribe', 'https://example.org/subscribe', false],
    ['Manage your preferences', 'https://example.org/preferences', false],
    ['Unsubscribe', '#unsubscribe', false],
    ['Unsubscribe', 'javascript:void(0)', false],
    ['Reset your password', 'https://example.org/reset', false],
  ])('%s → %s: %s', (text, href, expected) => {
    expect(linkUnsubscribes({ text, href })).toBe(expected);
  });
});

describe('plain text', () => {
  it.each([
    ['To unsubscribe: https://example.org/l/9', true],
    ['To subscribe or unsubscribe via the World Wide Web, visit\n\n\thttps://lists.example.org/l', true],
    ['https://example.org/optout/9', true],
    ['Abmelden: mailto:weg@example.org', true],
    ['Reply with "unsubscribe" and we stop.', false],
    ['I could not unsubscribe.\nThen I went home.\nhttps://example.org/', false],
    ['See https://example.org/subscribe', false],
    ['', false],
  ])('%j: %s', (text, expected) => {
    expect(textUnsubscribes(text)).toBe(expected);
  });
});
