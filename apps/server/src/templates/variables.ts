import { type FieldError, type TemplateValues, TemplateVariable } from '@bottega/contract';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { AppError, invalid } from '../foundation/http/index.ts';
import { checkEach } from '../foundation/http/request/field-checks.ts';
import { longestMatched, matchesPattern, whyNotPattern } from './pattern.ts';

export type Values = Readonly<Record<string, string | boolean>>;

/** What is known about a new project. These values are the defaults of variables with the same names. */
export type About = { project_name: string; description: string; author: string };

/** Longest value of a string variable that sets no limit of its own. */
const usualLength = 1000;

/**
 * Longest JSON of a template's variables, because the list of templates includes them, and an account may have fifty
 * templates.
 */
export const maxDeclared = 65_536;

const List = Type.Array(TemplateVariable, { maxItems: 20 });

/** The variables of a `template.json` or `bottega-template.json`. Null if they do not match the documented form. */
export function parseVariables(value: unknown): TemplateVariable[] | null {
  return Value.Check(List, value) ? value : null;
}

/** Checks what the schema cannot express: that each declaration makes sense. */
export async function checkVariables(variables: readonly TemplateVariable[]): Promise<void> {
  if (JSON.stringify(variables).length > maxDeclared) {
    throw invalid('variables', `can have at most ${maxDeclared} characters in total`);
  }
  const names = new Set<string>();
  await checkEach(variables, (variable, index) => {
    const [field, reason] = whyNotVariable(variable) ?? [];
    if (field !== undefined && reason !== undefined) throw invalid(`variables.${index}.${field}`, reason);
    if (names.has(variable.name)) throw invalid(`variables.${index}.name`, 'appears twice');
    names.add(variable.name);
  });
}

function whyNotVariable(variable: TemplateVariable): [field: string, reason: string] | null {
  const { name, type, pattern, choices, max_length: max } = variable;
  if (derivedNames.includes(name)) return ['name', 'is the name of a built-in value'];
  if ((type === 'choice') !== (choices !== undefined)) return ['choices', 'is allowed only for a choice'];
  if (type !== 'string' && pattern !== undefined) return ['pattern', 'is allowed only for a string'];
  if (type !== 'string' && max !== undefined) return ['max_length', 'is allowed only for a string'];
  const badPattern = pattern === undefined ? null : whyNotPattern(pattern);
  if (badPattern) return ['pattern', badPattern];
  if (pattern !== undefined && max !== undefined && max > longestMatched) {
    return ['max_length', `must be at most ${longestMatched} if there is a pattern`];
  }
  const badDefault = variable.default === undefined ? null : whyNotValue(variable, variable.default);
  return badDefault ? ['default', badDefault] : null;
}

/** All values that the template's files may use. A 422 names the given values that are not valid. */
export function valuesOf(variables: readonly TemplateVariable[], given: TemplateValues, about: About): Values {
  const errors: FieldError[] = [];
  const known = new Set(variables.map(({ name }) => name));
  for (const name of Object.keys(given)) {
    if (!known.has(name)) errors.push(row(name, 'is not a variable of this template'));
  }
  const values: Record<string, string | boolean> = {};
  for (const variable of variables) {
    const sent = Object.hasOwn(given, variable.name) ? given[variable.name] : undefined;
    const value = sent ?? defaultOf(variable, about);
    const reason = sent === undefined ? whyMissing(variable, value) : whyNotValue(variable, value);
    if (reason) errors.push(row(variable.name, reason));
    values[variable.name] = value;
  }
  if (errors.length > 0) {
    throw new AppError('VALIDATION_ERROR', 'The request is not valid', { details: errors.slice(0, 50) });
  }
  return values;
}

const row = (name: string, message: string): FieldError => ({
  field: `template_variables.${name.slice(0, 200)}`,
  message,
});

function defaultOf(variable: TemplateVariable, about: About): string | boolean {
  if (variable.default !== undefined) return variable.default;
  if (variable.type === 'boolean') return false;
  if (variable.type === 'choice') return variable.required ? '' : (variable.choices?.[0] ?? '');
  // The project's own name may not match a narrower pattern. In this case, the user has to provide a value.
  const known = Object.hasOwn(about, variable.name) ? about[variable.name as keyof About] : '';
  return whyNotValue(variable, known) ? '' : known;
}

function whyMissing({ required }: TemplateVariable, value: string | boolean): string | null {
  return required && value === '' ? 'is required' : null;
}

function whyNotValue(variable: TemplateVariable, value: string | boolean): string | null {
  const { type, choices = [], pattern, required } = variable;
  if (type === 'boolean') return typeof value === 'boolean' ? null : 'must be true or false';
  if (typeof value !== 'string') return 'must be a string';
  if (type === 'choice') return choices.includes(value) ? null : `must be one of ${choices.join(', ')}`;
  const max = variable.max_length ?? (pattern === undefined ? usualLength : longestMatched);
  if (required && value.trim() === '') return 'is required';
  if (value.length > max) return `must have at most ${max} characters`;
  if (pattern !== undefined && value !== '' && !matchesPattern(pattern, value)) return `must match ${pattern}`;
  return null;
}

/** Sample values for a preview, one for each variable. */
export function sampleValues(variables: readonly TemplateVariable[], about: About): Values {
  return Object.fromEntries(
    variables.map((variable) => {
      const value = defaultOf(variable, about);
      const isOpen = value === '' && variable.required;
      return [variable.name, isOpen ? (variable.choices?.[0] ?? variable.label ?? variable.name) : value];
    }),
  );
}

const derivedNames = ['year', 'licence_id', 'licence_note'];

/** Adds values that follow from the others and from the date. */
export function withDerived(values: Values, now: Date): Values {
  const { licence } = values;
  return {
    ...values,
    year: String(now.getUTCFullYear()),
    ...(typeof licence === 'string' && {
      licence_id: licence === 'none' ? 'UNLICENSED' : licence,
      licence_note: licence === 'none' ? 'All rights reserved.' : `${licence}; the text is in the file LICENSE.`,
    }),
  };
}
