import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { parameterCheck } from '../../packages/gateway/src/validate.ts';

const check = parameterCheck(
  Type.Object(
    {
      host: Type.String({ minLength: 1 }),
      timeout: Type.Optional(Type.Integer({ minimum: 5, maximum: 30, default: 25 })),
      places: Type.Optional(Type.Array(Type.String())),
    },
    { additionalProperties: false },
  ),
);

describe('parameterCheck', () => {
  it('fills in defaults', () => {
    expect(check({ host: 'a.test' })).toEqual({ host: 'a.test', timeout: 25 });
  });
  it.each([
    [{ host: 'a.test', hots: 1 }, 'unknown_parameter', 'hots'],
    [{ host: 'a.test', 'x\ny': 1 }, 'unknown_parameter', '"x\\ny"'],
    [{ timeout: 25 }, 'missing_parameter', 'host'],
    [{ host: 7 }, 'invalid_parameter', 'host must be string'],
    [{ host: ['a.test'] }, 'invalid_parameter', 'host must be string'],
    [{ host: null }, 'invalid_parameter', 'host must be string'],
    [{ host: 'a.test', timeout: '25' }, 'invalid_parameter', 'timeout must be integer'],
    [{ host: 'a.test', timeout: 4 }, 'invalid_parameter', 'timeout must be >= 5'],
    [{ host: 'a.test', timeout: 5.5 }, 'invalid_parameter', 'timeout must be integer'],
    [{ host: 'a.test', places: ['a', 1] }, 'invalid_parameter', 'places[1] must be string'],
  ])('%o is %s', (body, code, named) => {
    expect(() => check(body)).toThrow(expect.objectContaining({ code, message: expect.stringContaining(named) as string }));
  });
});
