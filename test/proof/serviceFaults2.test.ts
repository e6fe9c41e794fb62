import { proveServiceFaults } from './proveServiceFaults.ts';

proveServiceFaults(1, 2);
