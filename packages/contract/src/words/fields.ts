import { type TSchema, Type } from 'typebox';

/** Fields of reports by type, with the sentence that describes them in the API. */
export const text = (description: string) => Type.String({ description });
export const texts = (description: string) => Type.Array(Type.String(), { description });
export const flag = (description: string) => Type.Boolean({ description });
export const count = (description: string) => Type.Integer({ minimum: 0, description });

/** A row of a docs page, which `npm run generate` writes there: the field with its sentence, and the exact rule, examples and near misses. */
export interface Field<Schema extends TSchema = TSchema> {
  schema: Schema;
  note: string;
}

export const field = <Schema extends TSchema>(schema: Schema, note = ''): Field<Schema> => ({ schema, note });

/** The schemas of rows, as properties of a report. */
export const schemasOf = <Rows extends Readonly<Record<string, Field>>>(rows: Rows) =>
  Object.fromEntries(Object.entries(rows).map(([name, { schema }]) => [name, schema])) as { [Name in keyof Rows]: Rows[Name]['schema'] };

/** The verdicts of rows with a judge on the evidence, field by field. */
export const judgeAll = <Evidence, Rows extends Readonly<Record<string, { judge(evidence: Evidence): unknown }>>>(
  rows: Rows,
  evidence: Evidence,
) => {
  const verdicts: Record<string, unknown> = {};
  for (const name in rows) verdicts[name] = rows[name]!.judge(evidence);
  return verdicts as { [Name in keyof Rows]: ReturnType<Rows[Name]['judge']> };
};
