import { PasswordInput, TextInput } from '@mantine/core';
import type { ClipboardEvent } from 'react';
import { PairRows } from '../kit/pair-rows.tsx';
import type { Pair } from '../kit/pairs.ts';
import { useWords } from '../words/words.tsx';
import { problemIn, variablesIn } from './variables.ts';
import { variablesWords } from './variables.words.ts';

type Props = {
  variables: Pair[];
  change: (variables: Pair[]) => void;
  problemOf: (index: number) => string | null;
};

/** What is wrong with a row, in words. */
export function useVariableProblems(variables: readonly Pair[]): (index: number) => string | null {
  const words = useWords(variablesWords);
  return (index) => {
    const problem = problemIn(variables, index);
    return problem && words[problem];
  };
}

export function VariableRows({ variables, change, problemOf }: Props) {
  const words = useWords(variablesWords);
  const paste = (index: number) => (event: ClipboardEvent) => {
    const pasted = variablesIn(event.clipboardData.getData('text'));
    if (pasted.length === 0) return;
    event.preventDefault();
    change([...variables.slice(0, index), ...pasted, ...variables.slice(index + 1)]);
  };
  return (
    <PairRows
      pairs={variables}
      change={change}
      words={{
        legend: words.variables,
        hint: words.variablesHint,
        add: words.addVariable,
        remove: words.removeVariable,
      }}
    >
      {({ name, value }, index, set) => (
        <>
          <TextInput
            aria-label={words.variableName(index + 1)}
            placeholder={words.name}
            value={name}
            error={problemOf(index)}
            onChange={(event) => set({ name: event.currentTarget.value })}
            onPaste={paste(index)}
            autoComplete="off"
            spellCheck={false}
            ff="monospace"
            style={{ flex: 1 }}
          />
          <PasswordInput
            aria-label={words.variableValue(index + 1)}
            placeholder={words.value}
            value={value}
            onChange={(event) => set({ value: event.currentTarget.value })}
            autoComplete="off"
            maxLength={32_768}
            style={{ flex: 1 }}
          />
        </>
      )}
    </PairRows>
  );
}
