import { allScopes, type Scope } from '@bottega/contract';
import { Checkbox, Radio, SimpleGrid, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useWords } from '../words/words.tsx';
import { keysWords } from './keys.words.ts';

export type ChosenScopes = { access: 'all' | 'some'; scopes: Scope[] };

export const everyScope: ChosenScopes = { access: 'all', scopes: [] };
export const scopesOf = ({ access, scopes }: ChosenScopes): Scope[] => (access === 'all' ? [] : scopes);
export const lacksScopes = ({ access, scopes }: ChosenScopes): boolean => access === 'some' && scopes.length === 0;

/** Lets the user choose all scopes or some. At least one is required, because an empty list would mean all. */
export function ScopeFields<Values extends ChosenScopes>({ form }: { form: UseFormReturnType<Values> }) {
  const words = useWords(keysWords);
  return (
    <>
      <Radio.Group label={words.access} {...form.getInputProps('access')}>
        <Stack gap={6} mt={4}>
          <Radio value="all" label={words.allScopes} />
          <Radio value="some" label={words.some} />
        </Stack>
      </Radio.Group>
      {form.values.access === 'some' && (
        <Checkbox.Group aria-label={words.access} {...form.getInputProps('scopes')}>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={6}>
            {allScopes.map((scope) => (
              <Checkbox key={scope} value={scope} label={scope} />
            ))}
          </SimpleGrid>
        </Checkbox.Group>
      )}
    </>
  );
}
