import { TextInput } from '@mantine/core';
import { PairRows } from '../kit/pair-rows.tsx';
import type { Pair } from '../kit/pairs.ts';
import { useWords } from '../words/words.tsx';
import { formWords } from './form.words.ts';

type Props = { headers: Pair[]; change: (headers: Pair[]) => void };

export function HeaderRows({ headers, change }: Props) {
  const words = useWords(formWords);
  return (
    <PairRows
      pairs={headers}
      change={change}
      words={{ legend: words.headers, hint: words.headersHint, add: words.addHeader, remove: words.removeHeader }}
    >
      {({ name, value }, index, set) => (
        <>
          <TextInput
            aria-label={words.headerName(index + 1)}
            placeholder={words.headerNamePlaceholder}
            value={name}
            onChange={(event) => set({ name: event.currentTarget.value })}
            maxLength={100}
            spellCheck={false}
            style={{ flex: 1 }}
          />
          <TextInput
            aria-label={words.headerValue(index + 1)}
            placeholder={words.headerValuePlaceholder}
            value={value}
            onChange={(event) => set({ value: event.currentTarget.value })}
            maxLength={4096}
            spellCheck={false}
            style={{ flex: 1 }}
          />
        </>
      )}
    </PairRows>
  );
}
