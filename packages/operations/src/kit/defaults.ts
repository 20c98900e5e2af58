import { type Static, type TBoolean, type TObject, type TOptional, type TSchema, Type } from 'typebox';

/** A parameter that clients may leave out, and that is present once the request was checked. */
type TDefaulted<S extends TSchema = TSchema> = TOptional<S> & { default: Static<S> };

export const Defaulted = <S extends TSchema>(schema: S, value: Static<S>): TDefaulted<S> =>
  Object.assign(Type.Optional(schema), { default: value }) as TDefaulted<S>;

/** A switch; its example is the other position. */
export const Flag = (value: boolean, description: string): TDefaulted<TBoolean> =>
  Defaulted(Type.Boolean({ description, examples: [!value] }), value);

/** A request as `read` gets it: parameters with a default are present. */
export type Filled<Q extends TObject> = Static<Q> & {
  [F in keyof Q['properties'] as Q['properties'][F] extends TDefaulted ? F : never]: Static<Q['properties'][F]>;
};

/** The values of parameters that a client has left out, by name. */
export const defaultsOf = ({ properties }: TObject): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(properties).flatMap(([name, schema]) => ('default' in schema ? [[name, schema.default]] : [])));
