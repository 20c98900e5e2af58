import { type TObject, Type } from 'typebox';
import { Check } from 'typebox/value';
import { expect, it } from 'vitest';
import { probes } from '@vedette/probes';
import { blank } from '../../../packages/operations/src/kit/blank.ts';

it('gives every required field its default, else the value of its type with nothing in it', () => {
  const schema = Type.Object({
    text: Type.String(),
    share: Type.Number(),
    count: Type.Integer(),
    loss: Type.Integer({ default: 100 }),
    flag: Type.Boolean(),
    list: Type.Array(Type.String()),
    inner: Type.Object({ text: Type.String(), more: Type.Optional(Type.String()) }),
    headers: Type.Record(Type.String(), Type.String()),
    more: Type.Optional(Type.Literal('x')),
  });
  expect(blank(schema)).toEqual({ text: '', share: 0, count: 0, loss: 100, flag: false, list: [], inner: { text: '' }, headers: {} });
});

it.each(probes.map(({ kind, result }): [string, TObject] => [kind, result]))(
  'a failed %s has a result that fits its schema',
  (_kind, result) => {
    expect(Check(result, blank(result))).toBe(true);
  },
);

it('refuses a schema that has no such value', () => {
  expect(() => blank(Type.Object({ one: Type.Union([Type.Literal(1), Type.Literal(2)]) }))).toThrow('no blank value');
});
