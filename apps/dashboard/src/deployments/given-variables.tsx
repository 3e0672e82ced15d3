import { Checkbox, Code, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { variablesWords } from '../variables/variables.words.ts';
import { inheritedNames, variablesQuery } from '../variables/variables-query.ts';
import { useWords } from '../words/words.tsx';
import { lastDeploymentQuery } from './deployments-query.ts';

type Props = {
  projectId: string;
  environment: string;
  /** Names that the user has entered above. */
  own: string[];
  keep: boolean;
  setKeep: (keep: boolean) => void;
};

/**
 * Shows the variables that a deployment gets in addition to the entered ones, and what happens to the entered ones
 * afterwards.
 */
export function GivenVariables({ projectId, environment, own, keep, setKeep }: Props) {
  const words = useWords(variablesWords);
  const { data: variables = [] } = useQuery(variablesQuery(projectId));
  const { data: last } = useQuery(lastDeploymentQuery(projectId, environment));
  const inherited = inheritedNames(variables, environment);
  const changed = variables.filter(({ updated_at }) => last && updated_at > last.created_at);
  const newer = inheritedNames(changed, environment);
  const kept = last?.own_environment_variables ?? [];
  // If the entered variables are only for this deployment, it has no other variables of its own.
  const isReplaced = !keep && own.length > 0;
  return (
    <Stack gap="xs">
      {own.length > 0 && (
        <Checkbox
          label={words.keep(environment)}
          description={words.keepHint}
          checked={keep}
          onChange={(event) => setKeep(event.currentTarget.checked)}
        />
      )}
      <Names
        label={words.inherited}
        names={inherited}
        replaced={(name) => own.includes(name) || (!isReplaced && kept.includes(name) && !newer.includes(name))}
      />
      <Names
        label={words.kept}
        names={kept}
        replaced={(name) => isReplaced || own.includes(name) || newer.includes(name)}
      />
    </Stack>
  );
}

type NamesProps = { label: string; names: string[]; replaced: (name: string) => boolean };

function Names({ label, names, replaced }: NamesProps) {
  const words = useWords(variablesWords);
  if (names.length === 0) return null;
  return (
    <Group gap={6} role="group" aria-label={label}>
      <Text size="sm" c="dimmed">
        {label}:
      </Text>
      {names.map((name) => (
        <Code key={name} {...(replaced(name) && { td: 'line-through' })}>
          {name}
          {replaced(name) && <VisuallyHidden> ({words.replaced})</VisuallyHidden>}
        </Code>
      ))}
    </Group>
  );
}
