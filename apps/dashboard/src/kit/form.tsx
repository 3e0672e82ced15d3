import { Button, type ButtonProps, Fieldset, Stack } from '@mantine/core';
import type { FormEventHandler, ReactNode } from 'react';
import { Section } from './page.tsx';
import { Refusal } from './refusal.tsx';

type FormProps = { submit: () => void; gap?: string | number; maw?: number; label?: string; children: ReactNode };

/** Stacked fields that are submitted with Enter or a button. */
export function Form({ submit, gap = 'md', maw, label, children }: FormProps) {
  return (
    <form
      {...(label && { 'aria-label': label })}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack gap={gap} {...(maw !== undefined && { maw })}>
        {children}
      </Stack>
    </form>
  );
}

type FormSectionProps = {
  title: string;
  hint?: string;
  maw?: number;
  onSubmit: FormEventHandler<HTMLFormElement>;
  children: ReactNode;
};

/** A section that consists of one form. */
export function FormSection({ title, hint, maw, onSubmit, children }: FormSectionProps) {
  return (
    <Section title={title} {...(hint && { hint })}>
      <form onSubmit={onSubmit}>
        <Stack {...(maw !== undefined && { maw })}>{children}</Stack>
      </form>
    </Section>
  );
}

type SubmitProps = Pick<ButtonProps, 'variant' | 'color' | 'size' | 'disabled'> & {
  sending: { error: unknown; isPending: boolean };
  at?: 'flex-start' | 'flex-end' | 'stretch';
  children: ReactNode;
};

/** The end of a form: the refusal, if any, and the submit button. */
export function Submit({ sending, at = 'flex-start', ...button }: SubmitProps) {
  return (
    <>
      <Refusal error={sending.error} />
      <Button type="submit" loading={sending.isPending} style={{ alignSelf: at }} {...button} />
    </>
  );
}

/** Fields that belong together, under a name. */
export function FieldGroup({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <Fieldset
      legend={legend}
      variant="unstyled"
      m={0}
      p={0}
      styles={{ legend: { fontWeight: 600, padding: 0, marginBottom: 6 } }}
    >
      <Stack gap="sm">{children}</Stack>
    </Fieldset>
  );
}
