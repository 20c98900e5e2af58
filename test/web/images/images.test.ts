import { faviconHash, imageSize } from '@vedette/web/images';
import { describe, expect, it } from 'vitest';
import { PICTURES } from './pictures.ts';

const bytesOf = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'));
const svg = (text: string) => imageSize(Buffer.from(text));

describe('the size of a picture', () => {
  it.each(Object.entries(PICTURES))('is read from the header of a %s', (_kind, base64) => {
    expect(imageSize(bytesOf(base64))).toEqual({ width: 37, height: 21 });
  });

  it.each(Object.entries(PICTURES))('is unknown, and no error, wherever a %s ends before it says', (_kind, base64) => {
    const whole = bytesOf(base64);
    for (let length = 0; length < whole.length; length++)
      expect([undefined, { width: 37, height: 21 }]).toContainEqual(imageSize(whole.subarray(0, length)));
    expect(imageSize(whole.subarray(0, 9))).toBeUndefined();
  });

  it.each([
    ['its width and height', '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30px"/>', { width: 40, height: 30 }],
    ['its viewBox', '<?xml version="1.0"?><!-- <svg width="1" height="1"> --><svg viewBox="0,0 12.4 7"></svg>', { width: 12, height: 7 }],
    ['its viewBox where a length is no number of pixels', '<svg width="100%" height="2em" viewBox="0 0 4 5"/>', { width: 4, height: 5 }],
    ['nothing where it says none', '<svg width="10"></svg>', undefined],
    ['nothing where another element is the root', '<html><svg width="10" height="10"/></html>', undefined],
    ['nothing where it has no extent', '<svg width="0" height="10"/>', undefined],
  ])('is of an SVG %s', (_what, text, size) => {
    expect(svg(text)).toEqual(size);
  });

  it('expands no entity of an SVG', () => {
    const bomb = `<!DOCTYPE svg [<!ENTITY a "${'9'.repeat(100)}"><!ENTITY b "&a;&a;&a;">]><svg width="&b;" height="&b;" viewBox="0 0 3 2"/>`;
    expect(svg(bomb)).toEqual({ width: 3, height: 2 });
  });

  it('is as large as the file claims: nothing is decoded', () => {
    const png = bytesOf(PICTURES.png);
    new DataView(png.buffer).setUint32(16, 65_535);
    new DataView(png.buffer).setUint32(20, 65_535);
    expect(imageSize(png)).toEqual({ width: 65_535, height: 65_535 });
  });

  it.each([
    ['no picture', Buffer.from('<!doctype html><title>Not found</title>')],
    ['nothing', new Uint8Array()],
    ['an AVIF whose boxes hold each other for ever', Buffer.concat([Buffer.from('\0\0\0\x1cftypavif'), Buffer.alloc(1_000_000)])],
    ['a JPEG of markers without end', Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.from('ffe00002'.repeat(200_000), 'hex')])],
    ['a JPEG of fill bytes', Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(2_000_000, 0xff)])],
  ])('is unknown for %s', (_what, bytes) => {
    expect(imageSize(bytes)).toBeUndefined();
  });
});

describe('the hash of a favicon', () => {
  // MurmurHash3's own vectors cannot be reached through base64; these come from an implementation in Python that passes them, over base64.encodebytes.
  it.each([
    ['', 0],
    ['hello', 1155597304],
    ['x'.repeat(200), -891237183],
  ])('is that of %j', (text, hash) => {
    expect(faviconHash(Buffer.from(text))).toBe(hash);
  });
});
