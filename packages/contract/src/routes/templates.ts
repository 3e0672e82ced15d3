import { Type } from 'typebox';
import {
  PatchTemplate,
  PublishAnew,
  PublishTemplate,
  Template,
  TemplateList,
  TemplateListQuery,
} from '../templates.ts';
import { defineRoutes, noContent } from './route.ts';

export const templateRoutes = defineRoutes('Templates', {
  listTemplates: {
    address: 'GET /templates',
    access: 'signed-in',
    summary: 'List the templates for new projects',
    query: TemplateListQuery,
    responses: { 200: TemplateList },
  },
  readTemplate: {
    address: 'GET /templates/{template_id}',
    access: 'signed-in',
    summary: 'Read a template',
    responses: { 200: Template },
  },
  publishTemplate: {
    address: 'POST /templates',
    access: 'write:projects',
    summary: "Publish a project's current files as a template",
    body: PublishTemplate,
    responses: { 201: Template },
  },
  publishTemplateVersion: {
    address: 'POST /templates/{template_id}/versions',
    access: 'write:projects',
    summary: "Publish a new version of a template from its project's current files",
    body: Type.Union([PublishAnew, Type.Null()]),
    responses: { 201: Template },
  },
  changeTemplate: {
    address: 'PATCH /templates/{template_id}',
    access: 'write:projects',
    summary: "Change a template's details, but not its files (RFC 7396)",
    body: PatchTemplate,
    responses: { 200: Template },
  },
  deleteTemplate: {
    address: 'DELETE /templates/{template_id}',
    access: 'write:projects',
    summary: 'Withdraw a template',
    responses: { 204: noContent },
  },
});
