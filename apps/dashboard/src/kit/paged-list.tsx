import { Button, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useWords } from '../words/words.tsx';
import { kitWords } from './kit.words.ts';
import { Loading } from './loading.tsx';
import { openRow } from './open-row.ts';
import { Empty, Section } from './page.tsx';
import { Pager } from './pager.tsx';
import { type Answer, Refusal } from './refusal.tsx';

type None = { title: string; hint: string; action?: ReactNode };

type ListProps<Item> = {
  answer: Answer<unknown>;
  items: readonly Item[] | undefined;
  none: None;
  /** Clears the filters, if any are set. In that case, an empty list means that nothing matches. */
  clear?: (() => void) | false;
  lines?: number;
  children: (items: readonly Item[]) => ReactNode;
};

/** A list and its states: an error, a skeleton while it loads, an empty list, or its items. */
export function ItemList<Item>({ answer, items, none, clear, lines = 6, children }: ListProps<Item>) {
  return (
    <>
      <Refusal error={answer.error} retry={answer.refetch} />
      {answer.isPending && <Loading lines={lines} />}
      {items?.length === 0 && clear && <NoMatch clear={clear} />}
      {items?.length === 0 && !clear && (
        <Empty title={none.title} hint={none.hint}>
          {none.action}
        </Empty>
      )}
      {items && items.length > 0 && children(items)}
    </>
  );
}

type PagedProps<Item> = ListProps<Item> & {
  page: number | undefined;
  pages: number | undefined;
  go: (page: number) => void;
  /** The total number of items, as a text. */
  count?: string | undefined;
};

export function PagedList<Item>({ page = 1, pages = 0, go, count, children, ...list }: PagedProps<Item>) {
  return (
    <>
      <ItemList {...list}>
        {(items) => (
          <>
            {count && (
              <Text size="sm" c="dimmed" mb={6} role="status">
                {count}
              </Text>
            )}
            {children(items)}
          </>
        )}
      </ItemList>
      <Pager page={page} pages={pages} go={go} />
    </>
  );
}

type SectionProps<Item> = {
  words: { title: string; hint: string; none: string; noneHint: string };
  answer: Answer<Item[]>;
  children: (items: readonly Item[]) => ReactNode;
};

/** A short list under its own heading. */
export function ListSection<Item>({ words, answer, children }: SectionProps<Item>) {
  return (
    <Section title={words.title} hint={words.hint}>
      <ItemList answer={answer} items={answer.data} none={{ title: words.none, hint: words.noneHint }} lines={3}>
        {children}
      </ItemList>
    </Section>
  );
}

/** Stacked rows with a line between them. */
export function Rows({ children }: { children: ReactNode }) {
  return (
    <Stack gap={0} className="surface rows" w="100%" onClick={openRow}>
      {children}
    </Stack>
  );
}

function NoMatch({ clear }: { clear: () => void }) {
  const words = useWords(kitWords);
  return (
    <Empty title={words.noMatch} hint={words.noMatchHint}>
      <Button variant="default" onClick={clear}>
        {words.clear}
      </Button>
    </Empty>
  );
}
