import { describe, expect, it } from 'vitest';
import { FrameInbox, headOf } from '../../../packages/message/src/parser/frames.ts';

const frame = (text: string): Buffer => Buffer.concat([headOf(Buffer.from(text)), Buffer.from(text)]);

describe('a frame', () => {
  it.each([1, 2, 3, 5, 8, 100])('is put together from pieces of %i bytes', (size) => {
    const bytes = frame('a message');
    const inbox = new FrameInbox(100);
    const given = [];
    for (let at = 0; at < bytes.length; at += size) given.push(inbox.add(bytes.subarray(at, at + size)));
    expect(given.pop()?.toString()).toBe('a message');
    expect(given.filter(Boolean)).toEqual([]);
  });

  it('may be empty', () => {
    expect(new FrameInbox(100).add(frame(''))).toEqual(Buffer.alloc(0));
  });

  it('is refused by its length, before any of it has come', () => {
    expect(new FrameInbox(5).add(frame('12345'))?.toString()).toBe('12345');
    expect(() => new FrameInbox(5).add(frame('123456').subarray(0, 4))).toThrow(RangeError);
  });

  it('is refused where something follows it', () => {
    expect(() => new FrameInbox(100).add(Buffer.concat([frame('one'), Buffer.of(0)]))).toThrow('more than one');
  });
});
