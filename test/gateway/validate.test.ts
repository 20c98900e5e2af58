import { ApiError } from '@vedette/contract';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { parameterCheck } from '../../packages/gateway/src/request/validate.ts';

const check = parameterCheck(
  Type.Object(
    {
      host: Type.String({ minLength: 1 }),
      timeout: Type.Optional(Type.Integer({ minimum: 5, maximum: 30, default: 25 })),
      places: Type.Optional(Type.Array(Type.String())),
      family: Type.Optional(Type.Unsafe({ type: 'string', enum: ['v4', 'v6'] })),
      rules: Type.Optional(Type.Array(Type.Object({ port: Type.Integer() }))),
    },
    { additionalProperties: false },
  ),
);

function thrownBy(act: () => unknown): ApiError {
  try {
    act();
  } catch (error) {
    if (error instanceof ApiError) return error;
  }
  throw new Error('it threw nothing of ours');
}

describe('parameterCheck', () => {
  it('fills in defaults', () => {
    expect(check({ host: 'a.test' })).toEqual({ host: 'a.test', timeout: 25 });
  });
  it.each([
    [{ host: 'a.test', hots: 1 }, 'unknown_parameter', 'hots'],
    [{ host: 'a.test', 'x\ny': 1 }, 'unknown_parameter', '"x y"'],
    [{ timeout: 25 }, 'missing_parameter', 'host'],
    [{ host: 7 }, 'invalid_parameter', 'host must be string'],
    [{ host: ['a.test'] }, 'invalid_parameter', 'host must be string'],
    [{ host: null }, 'invalid_parameter', 'host must be string'],
    [{ host: 'a.test', timeout: '25' }, 'invalid_parameter', 'timeout must be integer'],
    [{ host: 'a.test', timeout: 4 }, 'invalid_parameter', 'timeout must be >= 5'],
    [{ host: 'a.test', timeout: 5.5 }, 'invalid_parameter', 'timeout must be integer'],
    [{ host: 'a.test', places: ['a', 1] }, 'invalid_parameter', 'places[1] must be string'],
    [{ host: 'a.test', family: 'v5' }, 'invalid_parameter', 'family must be one of v4, v6'],
    [{ host: 'a.test', rules: [{ port: 1 }, { port: 'x' }] }, 'invalid_parameter', 'rules[1].port must be integer'],
    [{ hosts: 'a.test' }, 'unknown_parameter', 'hosts; did you mean host?'],
    [{ host: 'a.test', count: 9 }, 'unknown_parameter', 'count; it takes host, timeout, places, family, rules'],
  ])('%o is %s', (body, code, named) => {
    expect(() => check(body)).toThrow(expect.objectContaining({ code, message: expect.stringContaining(named) as string }));
  });

  it.each([
    [{ hosts: 1 }, 'hosts'],
    [{}, 'host'],
    [{ host: 7 }, 'host'],
    [{ host: 'a.test', places: ['a', 1] }, 'places[1]'],
    [{ host: 'a.test', rules: [{ port: 'x' }] }, 'rules[0].port'],
  ])('%o names the parameter', (body, param) => {
    expect(() => check(body)).toThrow(expect.objectContaining({ param }));
  });

  it("says nothing of a stranger's name again but what can be seen, and not much of it", () => {
    const name = `a\u001b[31m\u202e\n${'x'.repeat(5000)}`;
    const error = thrownBy(() => check({ [name]: 1 }));
    expect([error.param!.length, error.message.length]).toEqual([
      expect.toSatisfy((n: number) => n <= 81),
      expect.toSatisfy((n: number) => n < 300),
    ]);
    expect(error.param! + error.message).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });
});
