import { clean } from './markup/markup.ts';
import { absoluteUrl, isHttp, siteOf, URL_MAX_CHARS } from './urls.ts';
import type { OpenElement, PageReader } from './markup/walk.ts';

const FORMS_MAX = 100;
const FIELDS_MAX = 100;
const ACTIONS_MAX = 10;
const NAME_MAX_CHARS = 200;

/** A form of a page, with the fields that it asks for. */
export interface PageForm {
  /** Its target, absolute; empty for fields outside a form, which only scripts can send, and for an invalid URL. */
  action: string;
  /** `get`, `post` or `dialog`; empty for fields that stand in no form. */
  method: string;
  has_password: boolean;
  has_file: boolean;
  /** It, or one of its buttons, sends to another registrable domain. */
  external_action: boolean;
  fields: PageField[];
}
export interface PageField {
  name: string;
  /** An `input`'s own, else `select`, `textarea` or `button`. */
  type: string;
}

interface Written {
  id: string;
  /** The form's own, then those of its buttons. */
  actions: string[];
  method: string;
  fields: PageField[];
}

const METHODS = new Set(['get', 'post', 'dialog']);
const FIELDS = new Set(['input', 'select', 'textarea', 'button']);

export class FormReader implements PageReader {
  /** There were more forms or fields. */
  truncated = false;
  readonly #forms: Written[] = [];
  readonly #loose: Written = { id: '', actions: [], method: '', fields: [] };
  /** Fields that name their form, which may come later. */
  readonly #named: { form: string; field: PageField; action: string | undefined }[] = [];
  #open: { element: OpenElement; form: Written } | undefined;

  forms(url: string, base: string): PageForm[] {
    const byId = new Map(this.#forms.toReversed().map((form) => [form.id, form]));
    for (const { form, field, action } of this.#named.splice(0)) this.#add(byId.get(form) ?? this.#loose, field, action);
    const own = siteOf(new URL(url));
    const forms = this.#forms.map((form) => {
      const targets = form.actions.map((action) => (action.trim() === '' ? new URL(url) : absoluteUrl(action, base)));
      return {
        action: targets[0]?.href ?? '',
        method: form.method,
        external_action: targets.some((target) => target !== undefined && isHttp(target) && siteOf(target) !== own),
        ...fieldsOf(form),
      };
    });
    return this.#loose.fields.length === 0
      ? forms
      : [...forms, { action: '', method: '', external_action: false, ...fieldsOf(this.#loose) }];
  }

  open(element: OpenElement): void {
    const { name, attributes, inert } = element;
    if (inert) return;
    // Browsers ignore a form within another (HTML §13.2.6.4.7).
    if (name === 'form' && !this.#open) this.#begin(element);
    if (!FIELDS.has(name)) return;
    const field = { name: clean(attributes['name'] || attributes['id'] || '', NAME_MAX_CHARS), type: typeOf(name, attributes) };
    const action = attributes['formaction']?.slice(0, URL_MAX_CHARS + 1);
    const form = attributes['form'];
    if (form === undefined) this.#add(this.#open?.form ?? this.#loose, field, action);
    else if (this.#named.length < FIELDS_MAX) this.#named.push({ form, field, action });
    else this.truncated = true;
  }

  close(element: OpenElement): void {
    if (this.#open?.element === element) this.#open = undefined;
  }

  #begin(element: OpenElement): void {
    const { attributes } = element;
    const method = attributes['method']?.trim().toLowerCase() ?? '';
    const form: Written = {
      id: attributes['id'] ?? '',
      actions: [(attributes['action'] ?? '').slice(0, URL_MAX_CHARS + 1)],
      method: METHODS.has(method) ? method : 'get',
      fields: [],
    };
    if (this.#forms.length < FORMS_MAX) this.#forms.push(form);
    else this.truncated = true;
    this.#open = { element, form };
  }

  #add(form: Written, field: PageField, action: string | undefined): void {
    if (form.fields.length < FIELDS_MAX) form.fields.push(field);
    else this.truncated = true;
    if (action !== undefined && form !== this.#loose && form.actions.length < ACTIONS_MAX) form.actions.push(action);
  }
}

const fieldsOf = ({ fields }: Written): Pick<PageForm, 'has_password' | 'has_file' | 'fields'> => ({
  has_password: fields.some(({ type }) => type === 'password'),
  has_file: fields.some(({ type }) => type === 'file'),
  fields,
});

const typeOf = (name: string, attributes: OpenElement['attributes']): string =>
  name === 'input' ? clean(attributes['type'] ?? '', 30).toLowerCase() || 'text' : name;
