import { createHash } from 'node:crypto';

import type { TrackingRequest } from './records.ts';

/** The shipment and containers of one tracking request. All of it follows from the request, so that nothing is made twice. */
export interface Journey {
  readonly request: TrackingRequest;
  readonly shipmentId: string;
  readonly billOfLading: string;
  readonly containers: readonly TrackedContainer[];
}

export interface TrackedContainer {
  readonly id: string;
  /** ISO 6346. */
  readonly number: string;
}

/** A container number leads to that container; any other number to a shipment of two. */
export function journeyOf(request: TrackingRequest): Journey {
  const { id, number, scac, type } = request;
  const digits = digitsOf(id);
  const numbers =
    isContainerNumber(number) && type === 'container'
      ? [number]
      : [0, 6].map((at) => numberOf(digits.slice(at, at + 6)));
  return {
    request,
    shipmentId: idOf(`${id}/shipment`),
    billOfLading:
      /^[A-Z]{4}[A-Z0-9]{6,10}$/.test(number) && type === 'bill_of_lading'
        ? number
        : `${fourLetters(scac)}${digits.slice(0, 9)}`,
    containers: numbers.map((each, index) => ({ id: idOf(`${id}/container/${index}`), number: each })),
  };
}

/** A uuid that is always the same for the same text. */
export function idOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function isContainerNumber(number: string): boolean {
  return /^[A-Z]{3}[UJZ][0-9]{7}$/.test(number);
}

function digitsOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest();
  return Array.from(bytes, (byte) => String(byte % 10)).join('');
}

function fourLetters(scac: string): string {
  return scac.padEnd(4, 'X');
}

/** A container number of this serial number, with its check digit (ISO 6346, annex A). */
function numberOf(serial: string): string {
  const ten = `SEAU${serial}`;
  const sum = Array.from(ten).reduce((total, character, index) => total + valueOf(character) * 2 ** index, 0);
  return ten + String((sum % 11) % 10);
}

/** Letters count from 10 on, leaving out the multiples of 11. */
function valueOf(character: string): number {
  if (/\d/.test(character)) return Number(character);
  const index = character.charCodeAt(0) - 'A'.charCodeAt(0) + 10;
  return index + Math.floor((index - 1) / 10);
}
