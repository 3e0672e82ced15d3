import type { TemplateValues, TemplateVariable } from '@bottega/contract';
import { NativeSelect, Switch, TextInput } from '@mantine/core';

/** By default, the service takes these values from the project itself. */
const takenFromProject = ['project_name', 'description'];

type Props = {
  variables: readonly TemplateVariable[];
  values: TemplateValues;
  errors: Record<string, string>;
  change: (values: TemplateValues) => void;
};

/** The template's variables; the service checks the values, and its messages are shown at their fields. */
export function TemplateQuestions({ variables, values, errors, change }: Props) {
  const asked = variables.filter(({ name }) => !takenFromProject.includes(name));
  return asked.map(({ name, type, label = name, choices = [], required = false, max_length: maxLength }) => {
    const value = values[name];
    const error = errors[`template_variables.${name}`];
    const answer = (given: string | boolean) => change({ ...values, [name]: given });
    if (type === 'boolean') {
      return (
        <Switch
          key={name}
          label={label}
          checked={value === true}
          error={error}
          onChange={(event) => answer(event.currentTarget.checked)}
        />
      );
    }
    if (type === 'choice') {
      return (
        <NativeSelect
          key={name}
          label={label}
          value={String(value ?? '')}
          error={error}
          data={choices}
          onChange={(event) => answer(event.currentTarget.value)}
        />
      );
    }
    return (
      <TextInput
        key={name}
        label={label}
        value={String(value ?? '')}
        error={error}
        required={required}
        {...(maxLength !== undefined && { maxLength })}
        onChange={(event) => answer(event.currentTarget.value)}
      />
    );
  });
}

export const firstAnswers = (variables: readonly TemplateVariable[]): TemplateValues =>
  Object.fromEntries(
    variables.flatMap(({ name, type, default: given, choices }) => {
      const value = given ?? (type === 'choice' ? choices?.[0] : undefined);
      return value === undefined ? [] : [[name, value]];
    }),
  );
