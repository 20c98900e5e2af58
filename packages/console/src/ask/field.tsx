import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Field } from '../api/operations.ts';
import { locations } from '../api/locations.ts';
import { plainText } from '../report/shape.ts';
import { Prose } from '../look/prose.tsx';
import { titleOf } from '../text/index.ts';
import { base64Of } from './upload.ts';

type Values = Readonly<Record<string, unknown>>;

interface Props {
  field: Field;
  id: string;
  value: unknown;
  onChange: (value: unknown) => void;
  /** The API's complaint about the value. */
  problem: string | undefined;
}

/** Any field of a request, by its kind. */
export function FieldInput({ field, id, value, onChange, problem }: Props): JSX.Element {
  if (field.fields) return <Group field={field} id={id} value={(value ?? {}) as Values} onChange={onChange} />;
  if (field.type === 'boolean')
    return (
      <div class="field check">
        <label for={id}>
          <input
            id={id}
            type="checkbox"
            checked={(value ?? field.default ?? false) === true}
            aria-describedby={`${id}-help`}
            onChange={(event) => onChange(event.currentTarget.checked)}
          />
          {titleOf(field.name)}
        </label>
        <Help id={id} field={field} problem={problem} />
      </div>
    );
  return (
    <div class={`field ${problem === undefined ? '' : 'wrong'}`}>
      <label for={id}>
        {titleOf(field.name)}
        {field.required && <span class="required"> required</span>}
      </label>
      {field.name.endsWith('_base64') ? (
        <FileInput field={field} id={id} value={value} onChange={onChange} />
      ) : (
        <Control field={field} id={id} value={value} onChange={onChange} />
      )}
      <Help id={id} field={field} problem={problem} />
    </div>
  );
}

const Help = ({ id, field, problem }: { id: string; field: Field; problem: string | undefined }): JSX.Element => (
  <small id={`${id}-help`}>
    {problem !== undefined && <strong role="alert">{problem} </strong>}
    <Prose text={field.description ?? ''} />
  </small>
);

type ControlProps = Omit<Props, 'problem'>;

function Control({ field, id, value, onChange }: ControlProps): JSX.Element {
  const { type, enum: choices, default: fallback, required } = field;
  const common = { id, required, 'aria-describedby': `${id}-help` };
  if (choices)
    return (
      <select
        {...common}
        value={plainText(value)}
        onChange={(event) => onChange(choices.find((choice) => String(choice) === event.currentTarget.value))}
      >
        <option value="">{fallback === undefined ? 'not set' : `${plainText(fallback)} (usual)`}</option>
        {choices.map((choice) => (
          <option key={choice} value={String(choice)}>
            {choice}
          </option>
        ))}
      </select>
    );
  if (type === 'integer' || type === 'number')
    return (
      <input
        {...common}
        type="number"
        min={field.minimum}
        max={field.maximum}
        step={type === 'integer' ? 1 : 'any'}
        placeholder={plainText(fallback)}
        value={typeof value === 'number' ? value : ''}
        onInput={(event) => onChange(event.currentTarget.value === '' ? undefined : event.currentTarget.valueAsNumber)}
      />
    );
  if (type === 'array') return <ListInput {...common} value={value} onChange={onChange} hasLocations={field.name === 'locations'} />;
  const typed = {
    ...common,
    autocomplete: 'off' as const,
    spellcheck: false,
    maxLength: field.maxLength,
    placeholder: typeof fallback === 'string' ? fallback : '',
    value: typeof value === 'string' ? value : '',
    onInput: (event: { currentTarget: HTMLInputElement }) =>
      onChange(event.currentTarget.value === '' ? undefined : event.currentTarget.value),
  };
  return /password|bearer/.test(field.name) ? <input {...typed} type="password" /> : <input {...typed} type="text" autocapitalize="off" />;
}

interface ListProps {
  id: string;
  required: boolean;
  'aria-describedby': string;
  value: unknown;
  onChange: (value: unknown) => void;
  hasLocations: boolean;
}

/** Several texts, with commas between them. Locations can be pressed as well as typed. */
function ListInput({ value, onChange, hasLocations, ...common }: ListProps): JSX.Element {
  const items = Array.isArray(value) ? value.map(String) : [];
  const [text, setText] = useState(items.join(', '));
  const set = (typed: string): void => {
    setText(typed);
    const parts = typed.split(/[\s,]+/).filter(Boolean);
    onChange(parts.length === 0 ? undefined : parts);
  };
  const toggle = (id: string): void => set((items.includes(id) ? items.filter((item) => item !== id) : [...items, id]).join(', '));
  return (
    <>
      <input
        {...common}
        type="text"
        autocomplete="off"
        spellcheck={false}
        value={text}
        placeholder="separated by commas"
        onInput={(event) => set(event.currentTarget.value)}
      />
      {hasLocations && (
        <div class="choices">
          {[...locations.value.values()].map(({ id, city_name: city }) => (
            <button key={id} type="button" class="small" aria-pressed={items.includes(id)} onClick={() => toggle(id)}>
              {city === '' ? id : city}
            </button>
          ))}
        </div>
      )}
    </>
  );
}

function FileInput({ field, id, value, onChange }: Omit<Props, 'problem'>): JSX.Element {
  const [said, setSaid] = useState(
    value === undefined ? 'Drop a file here, or choose one.' : 'The same file as before. Drop or choose another one here.',
  );
  const take = async (files: FileList | null | undefined): Promise<void> => {
    const [file] = files ?? [];
    if (file === undefined) return;
    try {
      onChange(await base64Of(file));
      setSaid(`${file.name}, ${file.size} B`);
    } catch (error) {
      setSaid((error as Error).message);
    }
  };
  return (
    <div
      class="drop"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        event.stopPropagation();
        void take(event.dataTransfer?.files);
      }}
    >
      <input
        id={id}
        type="file"
        required={field.required && value === undefined}
        aria-describedby={`${id}-help`}
        onChange={(event) => void take(event.currentTarget.files)}
      />
      <p role="status">{said}</p>
    </div>
  );
}

function Group({
  field,
  id,
  value,
  onChange,
}: {
  field: Field;
  id: string;
  value: Values;
  onChange: (value: unknown) => void;
}): JSX.Element {
  const set = (name: string, one: unknown): void => {
    const values = Object.fromEntries(Object.entries({ ...value, [name]: one }).filter(([, given]) => given !== undefined));
    onChange(Object.keys(values).length === 0 ? undefined : values);
  };
  return (
    <fieldset>
      <legend>{titleOf(field.name)}</legend>
      {field.fields!.map((one) => (
        <FieldInput
          key={one.name}
          field={one}
          id={`${id}-${one.name}`}
          value={value[one.name]}
          onChange={(given) => set(one.name, given)}
          problem={undefined}
        />
      ))}
    </fieldset>
  );
}
