/** The part of JSON Schema that the generator reads. */
export type Schema = {
  type?: string;
  title?: string;
  description?: string;
  default?: unknown;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  required?: string[];
  readOnly?: boolean;
};

/** `input`: optional values may also be undefined, since callers pass on what they were given. */
type Direction = 'input' | 'output';

/** Turns schemas into TypeScript; named ones are declared once and referenced. */
export type TypeWriter = {
  typeOf(schema: Schema, direction: Direction): string;
  /** Declares an object under a name that the contract does not have. */
  declare(name: string, schema: Schema, direction: Direction): string;
  declarations(): string[];
};

export function createTypeWriter(names: ReadonlyMap<string, string>): TypeWriter {
  const declared = new Map<string, string>();

  function typeOf(schema: Schema, direction: Direction): string {
    const name = (schema.properties ? schema.title : undefined) ?? names.get(keyOf(schema));
    if (name === undefined) return written(schema, direction);
    return declare(names.get(keyOf(schema)) ?? name, schema, direction);
  }

  function declare(name: string, schema: Schema, direction: Direction): string {
    if (!declared.has(name)) {
      declared.set(name, '');
      const text = written(schema, direction);
      const head = commentOf(schema.properties || schema.enum ? schema : {});
      declared.set(
        name,
        head + (schema.properties ? `export interface ${name} ${text}` : `export type ${name} = ${text};`),
      );
    }
    return name;
  }

  function written(schema: Schema, direction: Direction): string {
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
    if (schema.anyOf) return [...new Set(schema.anyOf.map((one) => typeOf(one, direction)))].join(' | ');
    if (schema.type === 'array') return `Array<${typeOf(schema.items ?? {}, direction)}>`;
    if (schema.type === 'object') return objectOf(schema, direction);
    const primitive = primitives[schema.type ?? 'any'];
    if (primitive === undefined) throw new Error(`no type for ${JSON.stringify(schema)}`);
    return primitive;
  }

  function objectOf(schema: Schema, direction: Direction): string {
    const [values] = Object.values(schema.patternProperties ?? {});
    if (values) return `Record<string, ${typeOf(values, direction)}>`;
    // Fields that the service ignores in a body are left out.
    const fields = Object.entries(schema.properties ?? {}).filter(([, field]) => !field.readOnly);
    if (fields.length === 0) return 'Record<string, unknown>';
    const lines = fields.map(([name, field]) => {
      const isRequired = schema.required?.includes(name) && !(direction === 'input' && 'default' in field);
      const orAbsent = !isRequired && direction === 'input' ? ' | undefined' : '';
      const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
      return `${commentOf(field)}${key}${isRequired ? '' : '?'}: ${typeOf(field, direction)}${orAbsent};`;
    });
    return `{\n${lines.join('\n')}\n}`;
  }

  return { typeOf, declare, declarations: () => [...declared.values()] };
}

const primitives: Record<string, string> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
  any: 'unknown',
};

/** Schemas with the same content are the same: an optional schema is a copy of the named one. */
export function keyOf({ description: _, default: __, ...schema }: Schema): string {
  return JSON.stringify(schema);
}

function commentOf({ description, default: preset }: Schema): string {
  const value = preset === undefined ? undefined : `Default: \`${JSON.stringify(preset)}\`.`;
  const text = [description && asSentence(description), value].filter(Boolean).join(' ');
  return text === '' ? '' : `/** ${text.replaceAll('*/', '*\\/')} */\n`;
}

export const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
