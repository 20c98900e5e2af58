/** The fields of a header as it stands in a message, as `@vedette/intel/mime` reads them. */
export const header = (text: string): { key: string; raw: string }[] =>
  text
    .trim()
    .split(/\n(?=\S)/)
    .map((field) => {
      const at = field.indexOf(':');
      return { key: field.slice(0, at).toLowerCase(), raw: field.slice(at + 1) };
    });
