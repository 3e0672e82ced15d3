import '../editor/code.css';
import { Box, Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ConfirmWithPassword } from '../kit/confirm-with-password.tsx';
import { Edge } from '../kit/edge.tsx';
import { DateRange, FilterSelect } from '../kit/filters.tsx';
import { FieldGroup, Form, FormSection, Submit } from '../kit/form.tsx';
import { AnchorLink, BackLink, ButtonLink, OutsideLink } from '../kit/links.tsx';
import { Pager } from '../kit/pager.tsx';
import { PairRows } from '../kit/pair-rows.tsx';
import { newPair } from '../kit/pairs.ts';
import { RowButton } from '../kit/row-button.tsx';
import { SearchField } from '../kit/search-field.tsx';
import { SectionPanel, SectionTabs } from '../kit/sections.tsx';
import { StarButton } from '../kit/star-button.tsx';
import { TypedNameDialog } from '../kit/typed-name.tsx';

const idle = { mutate: () => undefined, error: null, isPending: false };
const nothing = () => undefined;
const variants = ['filled', 'light', 'default', 'subtle'] as const;

/** Parts that users press or fill in. */
export const controls: Record<string, () => ReactNode> = {
  'confirm-with-password.tsx': () => (
    <Opened>
      {(close) => (
        <ConfirmWithPassword title="Remove the factor?" yes="Remove" isDangerous close={close} act={async () => null} />
      )}
    </Opened>
  ),
  'edge.tsx': EdgeSample,
  'filters.tsx': () => (
    <Group align="flex-end">
      <FilterSelect
        label="Sort"
        value={undefined}
        options={{ new: 'Newest', old: 'Oldest' }}
        change={nothing}
        isNamed
      />
      <DateRange from="2026-06-01" to="2026-06-30" change={nothing} />
    </Group>
  ),
  'form.tsx': () => (
    <FormSection title="A form" hint="What it changes" maw={420} onSubmit={(event) => event.preventDefault()}>
      <TextInput label="Name" description="A hint" defaultValue="Shop" />
      <TextInput label="Address" error="must be an address" defaultValue="shop" />
      <NativeSelect label="Plan" data={['free', 'pro']} />
      <FieldGroup legend="Fields that belong together">
        <TextInput label="One" disabled />
      </FieldGroup>
      <Submit sending={idle}>Save</Submit>
    </FormSection>
  ),
  'links.tsx': () => (
    <Group>
      {variants.map((variant) => (
        <ButtonLink key={variant} to="/projects" variant={variant}>
          {variant}
        </ButtonLink>
      ))}
      <AnchorLink to="/projects">A link</AnchorLink>
      <BackLink to="/projects">Back</BackLink>
      <OutsideLink href="https://example.com">Open</OutsideLink>
    </Group>
  ),
  'pager.tsx': () => <Pager page={2} pages={7} go={nothing} />,
  'pair-rows.tsx': PairSample,
  'row-button.tsx': () => <RowButton label="Restore" of="Shop" onClick={nothing} />,
  'search-field.tsx': () => <SearchField label="Search" value={undefined} seek={nothing} />,
  'sections.tsx': SectionSample,
  'star-button.tsx': () => (
    <Group>
      <StarButton project={{ id: 'prj_starred', name: 'Shop' }} />
      <StarButton project={{ id: 'prj_sample', name: 'Blog' }} />
    </Group>
  ),
  'typed-name.tsx': () => (
    <Opened>
      {(close) => (
        <TypedNameDialog
          {...{ name: 'Shop', title: 'Delete Shop?', hint: 'This cannot be undone.', yes: 'Delete' }}
          {...{ close, acting: idle }}
        />
      )}
    </Opened>
  ),
};

function Opened({ children }: { children: (close: () => void) => ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Open
      </Button>
      {isOpen && children(() => setOpen(false))}
    </>
  );
}

function EdgeSample() {
  const [length, set] = useState(120);
  return (
    <Box pos="relative" w={length} h={40} className="surface" style={{ '--share': 100 }}>
      <Edge
        className="split-edge"
        label="Width"
        orientation="vertical"
        lengths={{ least: 80, most: 240, usual: 120, step: 20 }}
        {...{ length, set }}
        lengthAt={({ clientX }, { left }) => clientX - left}
      />
    </Box>
  );
}

function PairSample() {
  const [pairs, change] = useState(() => [newPair('PORT', '3000')]);
  const words = { legend: 'Variables', hint: 'One in each row', add: 'Add', remove: (row: number) => `Remove ${row}` };
  return (
    <Form submit={nothing} maw={480}>
      <PairRows {...{ pairs, change, words }}>
        {({ name, value }, index, set) => (
          <>
            <TextInput
              aria-label={`Name ${index}`}
              value={name}
              onChange={(event) => set({ name: event.target.value })}
            />
            <TextInput
              aria-label={`Value ${index}`}
              value={value}
              onChange={(event) => set({ value: event.target.value })}
            />
          </>
        )}
      </PairRows>
    </Form>
  );
}

function SectionSample() {
  const [section, go] = useState<'code' | 'people'>('code');
  const words = { code: 'Code', people: 'People', sections: 'Sections' };
  return (
    <>
      <SectionTabs names={['code', 'people']} {...{ section, go, words }} />
      <SectionPanel label={words[section]}>{words[section]}</SectionPanel>
    </>
  );
}
