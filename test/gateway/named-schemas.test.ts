import { Type } from 'typebox';
import { expect, it } from 'vitest';
import { NamedSchemas } from '../../packages/gateway/src/api-description/named-schemas.ts';

const Point = Type.Object({ x: Type.Integer(), title: Type.String() }, { title: 'Point' });

it('has a schema with a title once, whatever it stands in, and its own properties called title', () => {
  const named = new NamedSchemas();
  expect(named.refer(Type.Object({ from: Point, path: Type.Array(Point) }))).toMatchObject({
    properties: { from: { $ref: '#/components/schemas/Point' }, path: { items: { $ref: '#/components/schemas/Point' } } },
  });
  expect(named.components()).toEqual({
    Point: { type: 'object', required: ['x', 'title'], properties: { x: { type: 'integer' }, title: { type: 'string' } } },
  });
});

it('takes no example for a schema', () => {
  const named = new NamedSchemas();
  expect(named.refer(Type.String({ examples: [{ title: 'Point' }] }))).toEqual({ type: 'string', examples: [{ title: 'Point' }] });
});

it('refuses two that share a title', () => {
  const named = new NamedSchemas();
  named.refer(Point);
  expect(() => named.refer(Type.Object({ y: Type.Integer() }, { title: 'Point' }))).toThrow('two different schemas are called Point');
});
