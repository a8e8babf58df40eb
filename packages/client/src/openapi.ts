// Generated from the OpenAPI document by `npm run specs`. Do not edit.
export interface paths {
    "/api/v1/loyalty/customer-state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a customer’s loyalty state at a store.
         * @description Returns the stamps toward the next reward, active vouchers, order count, net spend and membership. For an unknown customer all counts are zero. Phone and email are null until the customer has ordered, redeemed a code, tapped, synced a receipt or joined the queue at this store; what staff do for a customer opens nothing. last_visit_at is the last of any of these, and of a grant, a confirmation or a redemption by staff.
         */
        get: operations["customerState"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/loyalty/multi-stamp/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a multi-stamp request.
         * @description Returns cancelled=true also for a request that is unknown, already resolved, or belongs to another customer. previous_status is returned for the customer’s own requests only.
         */
        post: operations["cancelMultiStamp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/loyalty/multi-stamp/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm a multi-stamp request with a staff credential.
         * @description Authorization carries the customer’s token. Staff confirm with their auth card (staff_secret) or a staff session (staff_token, or the header X-Staff-Token). With an auth card, the proof of a tap at the store is required too, unless the store accepts the card alone. All stamps are created together. The counter of the NFC tag is consumed only when a request is resolved.
         */
        post: operations["confirmMultiStamp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/loyalty/multi-stamp/request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request several stamps at once.
         * @description Creates a pending request that staff must confirm within 60 seconds. A customer can have one pending request.
         */
        post: operations["requestMultiStamp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/loyalty/multi-stamp/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the status of a multi-stamp request.
         * @description Returns the pending request, or else the last request confirmed within the past 60 seconds. For an unknown or inactive store, has_pending_request is false.
         */
        get: operations["multiStampStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/loyalty/pending-stamps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List pending stamps, or stamps of another status.
         * @description Newest first, at most 100, each with the customer who collected it. Name and contact data are null until the customer has done something at this store, as in customerState.
         */
        get: operations["listPendingStamps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/loyalty/pending-stamps/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve or reject a pending stamp.
         * @description For an approval, result holds the outcome, also when the plan’s monthly quota prevented it. For a rejection, result is null.
         */
        post: operations["resolvePendingStamp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/loyalty/redemptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeem a voucher at the counter.
         * @description A voucher is redeemed once, also when several requests arrive at the same time.
         */
        post: operations["redeemVoucher"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/loyalty/stamp-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Generate a one-time stamp code.
         * @description An NFC proof is verified and its counter consumed, which proves presence. A repeat with the same tap or the same Idempotency-Key returns the same code. A signed-in customer gets the same code for 60 seconds.
         */
        post: operations["generateStampCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/loyalty/stamp-codes/redeem": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeem a one-time stamp code.
         * @description Letter case and a STAMP- prefix are ignored. The code is the idempotency key: a repeat by the same customer returns the stamp of the first request. Without the proof of a tap the stamp awaits approval, unless the store lets such codes count at once.
         */
        post: operations["redeemStampCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/loyalty/stamps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Grant a stamp at the counter.
         * @description The daily and monthly limits apply. A repeat with the same idempotency_key returns the first stamp.
         */
        post: operations["grantStamp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/loyalty/stamps/review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Review a pending stamp.
         * @description Approves or rejects like resolvePendingStamp, but returns the outcome as fields of the response, and a reached limit as an error.
         */
        post: operations["reviewStamp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/loyalty/stamps/sync-offline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sync taps that were made offline.
         * @description Each receipt succeeds or fails on its own, also one of a wrong shape (invalid_receipt). The results are in the order of the receipts. A receipt that was synced before returns duplicate=true.
         */
        post: operations["syncOfflineStamps"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/loyalty/stamps/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo a granted stamp.
         * @description Only a stamp that the store granted and that has not earned a voucher can be undone. A repeat changes nothing.
         */
        post: operations["undoStamp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notifications/marketing-opt-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept or decline marketing notifications.
         * @description accepted=true opts in for this store. accepted=false records that the customer was asked, and ends an earlier opt-in. A customer is asked at most twice per store.
         */
        post: operations["answerMarketingOptIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notifications/preferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List notification preferences.
         * @description Returns one row for each store that the customer has interacted with. Toggles that were never set have their default.
         */
        get: operations["listPreferences"];
        put?: never;
        /**
         * Change notification preferences.
         * @description A toggle that is absent stays unchanged.
         */
        post: operations["upsertPreferences"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notifications/wallet/passes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a customer’s wallet passes at a store.
         * @description Returns the stamp card and each active voucher, with the links that add them to the phone’s wallet. An added pass is updated automatically. The code image of a voucher’s pass is JSON with voucher_id and customer_id, which redeemVoucher takes; that of a stamp card is the customer’s id.
         */
        get: operations["listWalletPasses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the orders of a store.
         * @description scope=active returns the live fulfilment queue, oldest due first. scope=history returns orders that have ended, newest first. Both page alike: for the next page, send created_at and id of the last row as before and before_id. Without before_id the page starts with that row again; drop repeats by id.
         */
        get: operations["listOrders"];
        put?: never;
        /**
         * Place an order.
         * @description Prices the basket from the store’s menu, holds the slot, stock, promo code and voucher, and returns a payment intent with an ephemeral key for the payment sheet. A repeat with the same idempotency_key and body returns the same order with its current status; after PAYMENT_PROVIDER_ERROR it takes again what the order had held, if it is still there. The same key with another body returns IDEMPOTENCY_KEY_REUSED.
         */
        post: operations["createOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/{orderId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one order.
         * @description Returns 404 for an order of another store.
         */
        get: operations["getOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/{orderId}/fulfilment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Set the fulfilment status of a collect order.
         * @description The order of the statuses is accepted, preparing, ready, collected. An order that is not collected can be cancelled. A repeat of the current status changes nothing.
         */
        patch: operations["advanceFulfilment"];
        trace?: never;
    };
    "/api/v1/orders/{orderId}/log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the audit log of an order.
         * @description Newest entry first: what was done, by whom, when and why. Without store_id, the token must authorise the store of the order.
         */
        get: operations["orderLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/{orderId}/mine": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one of the customer’s own orders.
         * @description A part of a mixed order has an id of its own: it returns the whole order. The order of another customer is ORDER_NOT_FOUND. A request that accepts text/event-stream follows the order: it gets each state as it comes.
         */
        get: operations["getMyOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/{orderId}/notify-delay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Notify the customer of a delay.
         * @description Send delayMinutes or newReadyAt; newReadyAt is used when both are sent. The new time is stored beside the booked and the actual time. Further notices within a minute store their time, and one message is sent at the end of the minute.
         */
        post: operations["notifyDelay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/{orderId}/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refund an order, in full or in part.
         * @description Without amount_pence, refunds all that is left. A retry with the same refund_attempt_id (or, without one, the same Idempotency-Key) never refunds twice; each new id is a further refund. An attempt is repeated only for what it asked for, an amount or all; anything else returns IDEMPOTENCY_KEY_REUSED. Without refund_attempt_id, a request after a refund that was declined or failed is a new attempt. Once the whole amount is refunded, the stamps are taken back and the promo code can be used again.
         */
        post: operations["refundOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/{orderId}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Set the business status of an order.
         * @description A repeat of the current status changes nothing. Cancelling releases the slot and the stock. It refunds nothing of a paid order; refundable_pence and the log say what can be refunded. The payment intent of an unpaid order is cancelled first, and a payment that succeeds meanwhile is refunded.
         */
        patch: operations["setBusinessStatus"];
        trace?: never;
    };
    "/api/v1/orders/collect-earlier": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move a ready order to an earlier collection slot.
         * @description The first customer gets the place: if the slot is full, the order keeps its slot. A repeat with the slot it already has changes nothing.
         */
        post: operations["collectEarlier"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm an order after the payment sheet succeeded.
         * @description Reads the payment at the payment provider, marks the order paid once, and awards its stamps. Safe to repeat, and safe to run at the same time as the provider’s webhook. If the loyalty service does not reply in time, the stamps follow later and their fields are absent.
         */
        post: operations["confirmOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/mine": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the customer’s own orders.
         * @description Newest first, whatever became of them. For the next page, send created_at and id of the last order as before and before_id.
         */
        get: operations["listMyOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/stores": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the stores.
         * @description Returns the stores that are live, in the order of their ids. For the next page, send the id of the last store as after. With code, returns the stores of that public code.
         */
        get: operations["listStores"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/stores/{store_id}/menu": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the menu of a store.
         * @description Returns the items that the store offers, in the order of their names. The price that an order is charged is read when it is placed.
         */
        get: operations["readMenu"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders/stores/{store_id}/slots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the collection slots that can be booked.
         * @description Returns slots that are open, not over, not full and not within a closure, the earliest first. For the next page, send the ends_at of the last slot as from and drop slots that you have.
         */
        get: operations["listOpenSlots"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/queue/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the live queue of a store.
         * @description Returns the entries that are called, waiting or assigned, in that order, each with its current expected wait.
         */
        get: operations["listQueueEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/queue/entries/{entry_id}/assign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Assign a chair to a walk-in, from now.
         * @description Without unit_id, assigns the preferred chair, or else the first chair that is free for the whole service. A booking is made for each person of the party, the first from now. Returns NO_CAPACITY_TODAY when no such chair is free now. A repeat changes nothing.
         */
        post: operations["assignQueueEntry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/queue/entries/{entry_id}/call": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call a waiting walk-in.
         * @description The place is held for called_hold_minutes. After that the entry becomes a no-show. A repeat changes nothing.
         */
        post: operations["callQueueEntry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/queue/entries/{entry_id}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete an assigned entry.
         * @description The walk-in has been served, and the chair is free from now. A repeat changes nothing.
         */
        post: operations["completeQueueEntry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/queue/entries/{entry_id}/convert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Convert an entry to a booking for later.
         * @description Ends the entry. The booking itself is made in the diary; appointment_id names it. A repeat changes nothing.
         */
        post: operations["convertQueueEntry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/queue/entries/{entry_id}/no-show": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark a called or assigned walk-in as a no-show.
         * @description A chair that was assigned is free from now. A repeat changes nothing.
         */
        post: operations["noShowQueueEntry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/queue/entries/{entry_id}/recall": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a call back.
         * @description The walk-in waits again, in the place that joined_at gives. A repeat changes nothing.
         */
        post: operations["recallQueueEntry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/queue/join": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Join the walk-in queue of a store.
         * @description A signed-in customer who is already in the queue gets the existing entry back (reused=true). The expected wait is derived from the live diary, and stored as quoted. For a guest, entry_id is the only credential: keep it secret. A guest who signs in keeps the place by joining again with its entry_id (reused=true); of two places at one store the better one stays. An entry_id of another customer’s place gets the same response as an unknown one.
         */
        post: operations["joinQueue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/queue/leave": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Leave the queue.
         * @description Everyone behind moves up one place. Leaving an entry that has already ended changes nothing (noop=true).
         */
        post: operations["leaveQueue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/queue/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a place in the queue.
         * @description Send entry_id or, as a signed-in customer, store_id. entry is null when there is no active entry. A request that accepts text/event-stream follows the place: it gets each state as it comes.
         */
        get: operations["queueStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        ActiveVoucher: {
            code: string | null;
            expires_at: string | null;
            id: string;
            reward_title: string | null;
            voucher_type: string | null;
        };
        ApprovalResult: {
            already_approved?: boolean;
            error?: string;
            limit_reached?: boolean;
            message?: string;
            monthly_limit?: number;
            plan_key?: string;
            stamp_count?: number;
            stamp_id?: string;
            stamps_used?: number;
            success?: boolean;
            voucher_code?: string;
            voucher_created?: boolean;
            voucher_id?: string;
        };
        /** @description Server-sent events: the reply as JSON in `data` at once, and again whenever it has changed. `id` names the state; a client that comes back with Last-Event-ID gets the reply only when it differs. Ten streams may be open for a caller. */
        Changes: string;
        /** @description An order as its customer sees it. */
        CustomerOrder: {
            accepted_at: string | null;
            /** @description The collect children (legs) of a mixed order. */
            children: components["schemas"]["OrderChild"][];
            collected_at: string | null;
            collection_code: string | null;
            collection_mode: string | null;
            /**
             * Format: date-time
             * @description With microseconds. Send it unchanged as `before`.
             */
            created_at: string;
            currency: string;
            /** @description What the voucher and the promo code took off. */
            discount_pence: number;
            /** @description Null while unpaid, and for an order that is not collected. */
            fulfilment_status: string | null;
            /**
             * Format: uuid
             * @description The order.
             */
            id: string;
            items: components["schemas"]["OrderLine"][];
            order_number: string;
            order_type: string;
            prep_minutes: number;
            preparing_at: string | null;
            ready_at: string | null;
            /** @description What was refunded so far. */
            refunded_pence: number;
            /** @description Booked collection time. */
            requested_collection_at: string | null;
            /** @description The ready time of the latest delay notice. */
            revised_ready_at: string | null;
            /**
             * @description Payment status.
             * @enum {string}
             */
            status: "pending_payment" | "payment_failed" | "paid" | "partially_refunded" | "refunded" | "cancelled" | "expired";
            /**
             * Format: uuid
             * @description The store. It also authorises a merchant or staff caller.
             */
            store_id: string;
            store_name: string;
            table_number: string | null;
            tip_pence: number;
            /** @description What was or is to be paid, the tip included. */
            total_pence: number;
        };
        EmbeddedCustomer: {
            created_at: string | null;
            email: string | null;
            /** @description `guest` when the customer is unknown. */
            id: string;
            identity_user_id: string | null;
            last_seen: string | null;
            name: string | null;
            phone: string | null;
            updated_at: string | null;
        };
        /** @description The body of every response that is not 200. */
        Error: {
            error: {
                /** @description What went wrong, for programs. The meaning of a code never changes; new codes may be added. */
                code: string;
                /** @description What went wrong, for people. It may name the field and the fix. */
                message: string;
                /** @description The id of the request, as in the X-Request-Id header. */
                requestId: string;
            };
        };
        Membership: {
            current_period_end: string | null;
            plan_name: string | null;
            status: string | null;
        };
        MerchantQueueEntry: {
            /** @description The booking that the entry became. */
            appointment_id: string | null;
            called_at: string | null;
            customer_id: string | null;
            /** @description A guest’s only credential for the entry. */
            entry_id: string;
            /** @description When a chair is expected to be free. Null when not waiting. */
            expected_start: string | null;
            /** @description Null when not waiting. */
            expected_wait_min: number | null;
            guest_name: string | null;
            guest_phone: string | null;
            /** @description Until when the place of a called walk-in is held. */
            hold_until: string | null;
            /** Format: date-time */
            joined_at: string;
            party_size: number;
            preferred_unit_id: string | null;
            /** @description From 1. Null when not waiting. */
            queue_position: number | null;
            /** @description The wait that was quoted at the time of joining. */
            quoted_wait_min: number | null;
            service_id: string | null;
            /** @enum {string} */
            status: "waiting" | "called" | "assigned" | "completed" | "left" | "no_show" | "converted_to_appointment";
            store_id: string;
            /** @description The chair that is expected to be free first. Null when not waiting. */
            suggested_unit_id: string | null;
        };
        OfflineResult: {
            current_stamps?: number;
            duplicate?: boolean;
            error?: string;
            goal?: number;
            message?: string;
            receipt_id: string;
            stamp_id?: string;
            /** @enum {string} */
            stamp_status?: "pending" | "approved";
            success: boolean;
            voucher_code?: string;
            voucher_earned?: boolean;
        };
        /** @description A collection slot that an order can be placed for. */
        OpenSlot: {
            /** Format: date-time */
            ends_at: string;
            /**
             * Format: uuid
             * @description Send it as slot_id when you place an order.
             */
            id: string;
            /** @description Orders that the slot can still take. Null when it is unlimited. */
            orders_remaining: number | null;
            /** Format: date-time */
            starts_at: string;
        };
        Order: {
            accepted_at: string | null;
            collected_at: string | null;
            collection_code: string | null;
            collection_mode: string | null;
            /**
             * Format: date-time
             * @description With microseconds. Send it unchanged as `before`.
             */
            created_at: string;
            currency: string;
            /** @description The name of the customer who placed the order, where it is known. */
            customer_name: string | null;
            /** @description What the voucher and the promo code took off. Of a leg, its share. */
            discount_pence: number;
            /** @description Whether the customer’s bank disputes the payment. */
            disputed: boolean;
            fulfilment_status: string | null;
            /**
             * Format: uuid
             * @description The order.
             */
            id: string;
            items: components["schemas"]["OrderLine"][];
            order_number: string;
            order_type: string;
            /** @description Of a leg, the order it is a part of. */
            parent_order_id: string | null;
            preparing_at: string | null;
            /** @description Actual ready time. A delay notice never changes it. */
            ready_at: string | null;
            /** @description What was refunded so far. */
            refunded_pence: number;
            /** @description Booked collection time. */
            requested_collection_at: string | null;
            /** @description The ready time of the latest delay notice. */
            revised_ready_at: string | null;
            /** @description Payment status. */
            status: string;
            /**
             * Format: uuid
             * @description The store. It also authorises a merchant or staff caller.
             */
            store_id: string;
            /** @description The table to serve the order at. */
            table_number: string | null;
            /** @description The tip in the total. A leg has none. */
            tip_pence: number;
            /** @description What was or is to be paid, the tip included. Of a leg, its share. */
            total_pence: number;
        };
        /** @description A collect child (leg) of a mixed order. */
        OrderChild: {
            collection_code: string | null;
            fulfilment_status: string;
            /**
             * Format: uuid
             * @description The order.
             */
            order_id: string;
            order_number: string;
            order_type: string;
            prep_minutes: number | null;
            requested_collection_at: string | null;
            total_pence: number | null;
        };
        /** @description An order line, priced as it was when the order was placed. */
        OrderLine: {
            menu_item_id: string;
            name: string;
            quantity: number;
            total_pence: number;
            unit_price_pence: number;
        };
        OrderLogEntry: {
            actor: string | null;
            amount_pence: number | null;
            /** Format: date-time */
            at: string;
            /** @description The reason that was typed, if there was one. */
            detail: string | null;
            /** @description A sentence for the merchant. */
            title: string;
        };
        OrderStatusView: {
            cancelled_at: string | null;
            fulfilled_at: string | null;
            /**
             * Format: uuid
             * @description The order.
             */
            id: string;
            order_type: string | null;
            /** @description Of a cancelled order, what is left of its payment to refund: a paid one keeps it until it is refunded. Null for any other status. */
            refundable_pence: number | null;
            status: string | null;
            /**
             * Format: uuid
             * @description The store. It also authorises a merchant or staff caller.
             */
            store_id: string;
        };
        PendingStamp: {
            approval_reason: string | null;
            approved: boolean | null;
            approved_at: string | null;
            created_at: string | null;
            customer: components["schemas"]["EmbeddedCustomer"];
            customer_id: string | null;
            id: string;
            source: string | null;
            status: string;
            store_id: string;
        };
        PreferenceRow: {
            /** @description On by default. */
            classEventsEnabled: boolean;
            /** @description On by default. */
            classReminders: boolean;
            /** @description Off by default. */
            marketingEnabled: boolean;
            /** @description On by default. */
            membershipEventsEnabled: boolean;
            /** @description Off by default. */
            messagesMuted: boolean;
            /** @description On by default. */
            penaltyEventsEnabled: boolean;
            /** @description On by default. */
            stampEventsEnabled: boolean;
            storeId: string;
            /** @description `Unknown` when the name is not available. */
            storeName: string;
            /** @description On by default. */
            voucherEventsEnabled: boolean;
        };
        QueueEntry: {
            /** @description The booking that the entry became. */
            appointment_id: string | null;
            called_at: string | null;
            customer_id: string | null;
            /** @description A guest’s only credential for the entry. */
            entry_id: string;
            /** @description When a chair is expected to be free. Null when not waiting. */
            expected_start: string | null;
            /** @description Null when not waiting. */
            expected_wait_min: number | null;
            guest_name: string | null;
            /** Format: date-time */
            joined_at: string;
            party_size: number;
            preferred_unit_id: string | null;
            /** @description From 1. Null when not waiting. */
            queue_position: number | null;
            /** @description The wait that was quoted at the time of joining. */
            quoted_wait_min: number | null;
            service_id: string | null;
            /** @enum {string} */
            status: "waiting" | "called" | "assigned" | "completed" | "left" | "no_show" | "converted_to_appointment";
            store_id: string;
            /** @description The chair that is expected to be free first. Null when not waiting. */
            suggested_unit_id: string | null;
        };
        Refund: {
            amount: number;
            id: string;
            status: string | null;
        };
        Store: {
            /** @description Send it as store_code when you place an order. */
            code: string;
            currency: string;
            /** @description Weekly opening hours in the store’s time zone. Empty means always open. A closing time before the opening time is on the next day. */
            hours: {
                closes: string;
                /** @description 1 is Monday. */
                day: number;
                opens: string;
            }[];
            /**
             * Format: uuid
             * @description The store. It also authorises a merchant or staff caller.
             */
            id: string;
            name: string;
            /** @description Why the store does not take every order, as a sentence. Null when it does. */
            reason: string | null;
            /**
             * @description Which orders the store takes at this moment: any; for a collection slot only; or none.
             * @enum {string}
             */
            takes_orders: "now" | "scheduled" | "none";
            /** @description An IANA time zone. */
            time_zone: string;
        };
        StoreMenuItem: {
            /** @description Send it as menu_item_id when you place an order. */
            id: string;
            name: string;
            prep_minutes: number;
            price_pence: number;
            /** @description Whether no unit is left that an order could take. */
            sold_out: boolean;
        };
        WalletPass: {
            /** @description Adds the pass when opened on an iPhone. Null when Apple Wallet is not set up. */
            apple_url: string | null;
            /** @description Adds the pass when opened on an Android phone. Null when Google Wallet is not set up. */
            google_url: string | null;
            /** @enum {string} */
            kind: "stamp_card" | "voucher";
            reward_title: string | null;
            serial: string;
            voucher_id: string | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Names this state of the reply. Send it in If-None-Match to get 304 while the reply is the same. */
        ETag: string;
        /** @description `true` when this is the stored response of an earlier request with the same key. */
        "Idempotent-Replayed": string;
        /** @description What is left of each quota, and the seconds until it is refilled. */
        RateLimit: string;
        /** @description The quotas that apply, in the format of draft-ietf-httpapi-ratelimit-headers-10. */
        "RateLimit-Policy": string;
        /** @description Seconds to wait before the request is worth repeating. */
        "Retry-After": string;
        /** @description The id of the request. Quote it when you ask for help. */
        "X-Request-Id": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    customerState: {
        parameters: {
            query: {
                /**
                 * @description The customer.
                 * @example 0190a000-0000-7000-8000-0000000000a1
                 */
                customer_id: string;
                /**
                 * @description The store. It also authorises a merchant or staff caller.
                 * @example 0190a000-0000-7000-8000-000000000001
                 */
                store_id: string;
            };
            header?: {
                /** @description The id of the request in responses and logs. Generated when absent. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "stamp_count": 0,
                     *       "goal": 5,
                     *       "reward_name": "A coffee on us",
                     *       "loyalty_enabled": true,
                     *       "active_vouchers": [],
                     *       "order_count": 0,
                     *       "total_spent_pence": 0,
                     *       "currency": "GBP",
                     *       "membership": {
                     *         "status": null,
                     *         "current_period_end": null,
                     *         "plan_name": null
                     *       },
                     *       "phone": null,
                     *       "email": null,
                     *       "last_visit_at": null
                     *     }
                     */
                    "application/json": {
                        active_vouchers: components["schemas"]["ActiveVoucher"][];
                        currency: string;
                        email: string | null;
                        goal: number;
                        last_visit_at: string | null;
                        loyalty_enabled: boolean;
                        membership: components["schemas"]["Membership"];
                        order_count: number;
                        phone: string | null;
                        reward_name: string;
                        stamp_count: number;
                        total_spent_pence: number;
                    };
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            /** @enum {string} */
                            code: "INSUFFICIENT_SCOPE" | "INTERNAL" | "INVALID_JSON" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "PAYLOAD_TOO_LARGE" | "RATE_LIMITED" | "STORE_FORBIDDEN" | "STORE_NOT_FOUND" | "UNAUTHENTICATED" | "UNSUPPORTED_MEDIA_TYPE" | "UPSTREAM_UNAVAILABLE" | "VALIDATION_FAILED" | "WRONG_TOKEN_TYPE";
                            message: string;
                            requestId: string;
                        };
                    };
                };
            };
        };
    };
    cancelMultiStamp: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key returns the first response again, for 24 hours, when that was a success or a final refusal. After any other response a repeat runs the operation again. */
                "Idempotency-Key"?: string;
                /** @description The id of the request in responses and logs. Generated when absent. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "request_id": "0190a000-0000-7000-8000-0000000000d1"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The request for several stamps.
                     */
                    request_id: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "cancelled": true
                     *     }
                     */
                    "application/json": {
                        cancelled: boolean;
                        previous_status?: string;
                    };
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            /** @enum {string} */
                            code: "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REQUIRED" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL" | "INVALID_JSON" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "PAYLOAD_TOO_LARGE" | "RATE_LIMITED" | "STORE_FORBIDDEN" | "UNAUTHENTICATED" | "UNSUPPORTED_MEDIA_TYPE" | "UPSTREAM_UNAVAILABLE" | "VALIDATION_FAILED" | "WRONG_TOKEN_TYPE";
                            message: string;
                            requestId: string;
                        };
                    };
                };
            };
        };
    };
    confirmMultiStamp: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key returns the first response again, for 24 hours, when that was a success or a final refusal. After any other response a repeat runs the operation again. */
                "Idempotency-Key"?: string;
                /** @description The id of the request in responses and logs. Generated when absent. */
                "X-Request-Id"?: string;
                /** @description A staff session token, as an alternative to staff_token in the body. */
                "X-Staff-Token"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "store_code": "S1",
                 *       "staff_secret": "card_0123456789abcdef0123456789abcdef"
                 *     }
                 */
                "application/json": {
                    /** @description The signature of the tap, as the phone read it. */
                    nfc_cmac?: string | null;
                    /** @description Which of the platform’s keys the tag was written with. */
                    nfc_key_version?: string | null;
                    /** @description What the tag says of itself, encrypted, as the phone read it. */
                    nfc_picc_data?: string | null;
                    /** @description The request to confirm. The customer’s pending request when absent. */
                    request_id?: string | null;
                    /** @description The public token id of a staff auth card. */
                    staff_secret?: string | null;
                    /** @description A staff session token. */
                    staff_token?: string | null;
                    /** @description The code or the id of the store. */
                    store_code: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "action": "confirmed",
                     *       "stamps_created": 2,
                     *       "current_stamps": 2,
                     *       "goal": 5,
                     *       "vouchers_earned": 0,
                     *       "voucher_earned": false,
                     *       "voucher_results": [],
                     *       "store_name": "Corner Coffee",
                     *       "store_code": "S1",
                     *       "background_type": "color",
                     *       "store_logo_url": null,
                     *       "primary_color": "#3b2f2f",
                     *       "secondary_color": null,
                     *       "background_image_url": null,
                     *       "background_color": "#f5efe6",
                     *       "stamp_visual": "bean",
                     *       "store_template": null,
                     *       "idempotent": false
                     *     }
                     */
                    "application/json": {
                        action: string;
                        background_color: string | null;
                        background_image_url: string | null;
                        background_type: string;
                        current_stamps: number;
                        goal: number;
                        /** @description True when the request had been confirmed before. */
                        idempotent: boolean;
                        primary_color: string | null;
                        secondary_color: string | null;
                        stamp_visual: string | null;
                        stamps_created: number;
                        store_code: string;
                        store_logo_url: string | null;
                        store_name: string;
                        store_template: string | null;
                        voucher_earned: boolean;
                        voucher_results: {
                            expires_at: string | null;
                            reward_title: string | null;
                            voucher_code: string;
                            voucher_id: string;
                        }[];
                        vouchers_earned: number;
                    };
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            /** @enum {string} */
                            code: "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REQUIRED" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL" | "INVALID_JSON" | "METHOD_NOT_ALLOWED" | "MONTHLY_LIMIT_REACHED" | "MULTI_STAMP_EXPIRED" | "MULTI_STAMP_MONTHLY_CEILING" | "NFC_PROOF_INCOMPLETE" | "NFC_PROOF_INVALID" | "NFC_PROOF_REQUIRED" | "NFC_TAG_WRONG_STORE" | "NFC_TAP_REPLAYED" | "NOT_ACCEPTABLE" | "NO_PENDING_REQUEST" | "PAYLOAD_TOO_LARGE" | "RATE_LIMITED" | "STAFF_CREDENTIAL_INVALID" | "STAFF_CREDENTIAL_REQUIRED" | "STORE_FORBIDDEN" | "STORE_NOT_FOUND" | "UNAUTHENTICATED" | "UNSUPPORTED_MEDIA_TYPE" | "UPSTREAM_UNAVAILABLE" | "VALIDATION_FAILED" | "WRONG_TOKEN_TYPE";
                            message: string;
                            requestId: string;
                        };
                    };
                };
            };
        };
    };
    requestMultiStamp: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key returns the first response again, for 24 hours, when that was a success or a final refusal. After any other response a repeat runs the operation again. */
                "Idempotency-Key"?: string;
                /** @description The id of the request in responses and logs. Generated when absent. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "store_id": "S1",
                 *       "requested_stamps": 2
                 *     }
                 */
                "application/json": {
                    /** @description At most the store’s limit, and at most its goal. */
                    requested_stamps: number;
                    /** @description The id or the code of the store. */
                    store_id: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "request_id": "01a204a0-7517-7b83-83bd-b66289f2866a",
                     *       "requested_stamps": 2,
                     *       "expires_at": "2026-11-22T19:00:14.265000Z",
                     *       "expires_in_seconds": 60
                     *     }
                     */
                    "application/json": {
                        expires_at: string;
                        expires_in_seconds: number;
                        request_id: string;
                        requested_stamps: number;
                    };
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            /** @enum {string} */
                            code: "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REQUIRED" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL" | "INVALID_JSON" | "METHOD_NOT_ALLOWED" | "MONTHLY_LIMIT_REACHED" | "MULTI_STAMP_DISABLED" | "MULTI_STAMP_MONTHLY_CEILING" | "MULTI_STAMP_PENDING" | "NOT_ACCEPTABLE" | "PAYLOAD_TOO_LARGE" | "PLAN_NOT_ENTITLED" | "RATE_LIMITED" | "STORE_FORBIDDEN" | "STORE_FROZEN" | "STORE_NOT_FOUND" | "UNAUTHENTICATED" | "UNSUPPORTED_MEDIA_TYPE" | "UPSTREAM_UNAVAILABLE" | "VALIDATION_FAILED" | "WRONG_TOKEN_TYPE";
                            message: string;
                            requestId: string;
                        };
                    };
                };
            };
        };
    };
    multiStampStatus: {
        parameters: {
            query?: {
                /**
                 * @description The code or the id of the store.
                 * @example S1
                 */
                store_code?: string;
                /** @description The store, as an alternative to store_code. */
                store_id?: string;
            };
            header?: {
                /** @description The id of the request in responses and logs. Generated when absent. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "has_pending_request": false
                     *     }
                     */
                    "application/json": {
                        has_pending_request: boolean;
                        last_confirmed?: {
                            confirmed_at: string;
                            id: string;
                            requested_stamps: number;
                            status: string;
                        };
                        request?: {
                            expires_at: string;
                            id: string;
                            remaining_seconds: number;
                            requested_stamps: number;
                            status: string;
                        };
                    };
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            /** @enum {string} */
                            code: "INTERNAL" | "INVALID_JSON" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "PAYLOAD_TOO_LARGE" | "RATE_LIMITED" | "STORE_FORBIDDEN" | "UNAUTHENTICATED" | "UNSUPPORTED_MEDIA_TYPE" | "UPSTREAM_UNAVAILABLE" | "VALIDATION_FAILED" | "WRONG_TOKEN_TYPE";
                            message: string;
                            requestId: string;
                        };
                    };
                };
            };
        };
    };
    listPendingStamps: {
        parameters: {
            query: {
                /**
                 * @description Stamps of which status.
                 * @example pending
                 */
                status?: "pending" | "approved" | "rejected" | "undone" | "reversed";
                /**
                 * @description The store. It also authorises a merchant or staff caller.
                 * @example 0190a000-0000-7000-8000-000000000001
                 */
                store_id: string;
            };
            header?: {
                /** @description The id of the request in responses and logs. Generated when absent. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "stamps": [
                     *         {
                     *           "id": "01a204a0-799b-746e-9d55-e33f16fd0c1b",
                     *           "store_id": "0190a000-0000-7000-8000-000000000001",
                     *           "customer_id": "0190a000-0000-7000-8000-0000000000a1",
                     *           "status": "pending",
                     *           "source": "offline_nfc",
                     *           "approval_reason": "no_proof",
                     *           "approved": false,
                     *           "created_at": "2026-11-22T18:59:15.403000Z",
                     *           "approved_at": null,
                     *           "customer": {
                     *             "id": "0190a000-0000-7000-8000-0000000000a1",
                     *             "name": "Ana",
                     *             "email": "ana@example.com",
                     *             "phone": "+447700900001",
                     *             "identity_user_id": null,
                     *             "last_seen": "2026-11-22T18:59:15.403000Z",
                     *             "created_at": "2026-11-22T18:59:14.559000Z",
                     *             "updated_at": null
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        stamps: components["schemas"]["PendingStamp"][];
                    };
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            /** @enum {string} */
                            code: "INTERNAL" | "INVALID_JSON" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "PAYLOAD_TOO_LARGE" | "RATE_LIMITED" | "STORE_FORBIDDEN" | "UNAUTHENTICATED" | "UNSUPPORTED_MEDIA_TYPE" | "UPSTREAM_UNAVAILABLE" | "VALIDATION_FAILED" | "WRONG_TOKEN_TYPE";
                            message: string;
                            requestId: string;
                        };
                    };
                };
            };
        };
    };
    resolvePendingStamp: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key returns the first response again, for 24 hours, when that was a success or a final refusal. After any other response a repeat runs the operation again. */
                "Idempotency-Key"?: string;
                /** @description The id of the request in responses and logs. Generated when absent. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "store_id": "0190a000-0000-7000-8000-000000000001",
                 *       "stamp_id": "0190a000-0000-7000-8000-0000000000b1",
                 *       "action": "approve"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Whether the stamp counts.
                     * @enum {string}
                     */
                    action: "approve" | "reject";
                    /**
                     * Format: uuid
                     * @description The stamp.
                     */
                    stamp_id: string;
                    /**
                     * Format: uuid
                     * @description The store. It also authorises a merchant or staff caller.
                     */
                    store_id: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "action": "approve",
                     *       "result": {
                     *         "success": true,
                     *         "stamp_count": 1,
                     *         "voucher_created": false,
                     *         "stamp_id": "01a204a0-90a0-77a8-93bc-2102b94c1a31",
                     *         "already_approved": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        action: "approve" | "reject";
                        result: components["schemas"]["ApprovalResult"] | null;
                    };
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            /** @enum {string} */
                            code: "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REQUIRED" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL" | "INVALID_JSON" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "PAYLOAD_TOO_LARGE" | "RATE_LIMITED" | "STAMP_ALREADY_APPROVED" | "STAMP_ALREADY_REJECTED" | "STAMP_NOT_FOUND" | "STORE_FORBIDDEN" | "UNAUTHENTICATED" | "UNSUPPORTED_MEDIA_TYPE" | "UPSTREAM_UNAVAILABLE" | "VALIDATION_FAILED" | "WRONG_TOKEN_TYPE";
                            message: string;
                            requestId: string;
                        };
                    };
                };
            };
        };
    };
    redeemVoucher: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key returns the first response again, for 24 hours, when that was a success or a final refusal. After any other response a repeat runs the operation again. */
                "Idempotency-Key"?: string;
                /** @description The id of the request in responses and logs. Generated when absent. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "store_id": "0190a000-0000-7000-8000-000000000001",
                 *       "customer_id": "0190a000-0000-7000-8000-0000000000a1",
                 *       "voucher_id": "0190a000-0000-7000-8000-0000000000c1"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The customer.
                     */
                    customer_id: string;
                    /**
                     * Format: uuid
                     * @description The store. It also authorises a merchant or staff caller.
                     */
                    store_id: string;
                    /**
                     * Format: uuid
                     * @description The voucher.
                     */
                    voucher_id: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "voucher_id": "01a204a0-899f-7b52-aa32-db3f877b18cd",
                     *       "redemption_code": "G9YFX5MY9H",
                     *       "reward_title": "A coffee on us"
                     *     }
                     */
                    "application/json": {
                        redemption_code: string;
                        reward_title: string | null;
                        voucher_id: string;
                    };
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            /** @enum {string} */
                            code: "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REQUIRED" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL" | "INVALID_JSON" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "PAYLOAD_TOO_LARGE" | "RATE_LIMITED" | "STORE_FORBIDDEN" | "UNAUTHENTICATED" | "UNSUPPORTED_MEDIA_TYPE" | "UPSTREAM_UNAVAILABLE" | "VALIDATION_FAILED" | "VOUCHER_ALREADY_REDEEMED" | "VOUCHER_EXPIRED" | "VOUCHER_NOT_FOUND" | "VOUCHER_RESERVED" | "VOUCHER_VOIDED" | "WRONG_TOKEN_TYPE";
                            message: string;
                            requestId: string;
                        };
                    };
                };
            };
        };
    };
    generateStampCode: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key returns the first response again, for 24 hours, when that was a success or a final refusal. After any other response a repeat runs the operation again. */
                "Idempotency-Key"?: string;
                /** @description The id of the request in responses and logs. Generated when absent. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "store_id": "0190a000-0000-7000-8000-000000000001",
                 *       "ttl_seconds": 60
                 *     }
                 */
                "application/json": {
                    /** @description An opaque fingerprint of the device. */
                    device_info?: string | null;
                    /** @description An opaque hint for security monitoring. */
                    location_info?: string | null;
                    /** @description The signature of the tap, as the phone read it. */
                    nfc_cmac?: string | null;
                    /** @description Which of the platform’s keys the tag was written with. */
                    nfc_key_version?: string | null;
                    /** @description What the tag says of itself, encrypted, as the phone read it. */
                    nfc_picc_data?: string | null;
                    /** @description nfc or n, qr or q; anything else is web. An NFC proof makes it nfc. */
                    source?: string | null;
                    /**
                     * Format: uuid
                     * @description The store. It also authorises a merchant or staff caller.
                     */
                    store_id: string;
                    /**
                     * @description Seconds for which the code can be redeemed.
                     * @default 60
                     */
                    ttl_seconds?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "J1862N04",
                     *       "full_message": "STAMP-J1862N04",
                     *       "store_code": "S1",
                     *       "store_name": "Corner Coffee",
                     *       "expires_at": "2026-11-22T19:00:15.212Z",
                     *       "message": "Show this code at Corner Coffee, or redeem it there, before it expires.",
                     *       "expires_in_seconds": 60,
                     *       "presence_verified": false,
                     *       "deduplicated": false
                     *     }
                     */
                    "application/json": {
                        code: string;
                        /** @description True when the code had been issued before. */
                        deduplicated?: boolean;
                        expires_at: string;
                        expires_in_seconds: number;
                        full_message: string;
                        message: string;
                        /** @description True when an NFC proof was verified. */
                        presence_verified?: boolean;
                        store_code: string;
                        store_name: string;
                    };
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            /** @enum {string} */
                            code: "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REQUIRED" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL" | "INVALID_JSON" | "LOYALTY_DISABLED" | "METHOD_NOT_ALLOWED" | "NFC_PROOF_INCOMPLETE" | "NFC_PROOF_INVALID" | "NFC_PROOF_REQUIRED" | "NFC_TAG_WRONG_STORE" | "NFC_TAP_REPLAYED" | "NOT_ACCEPTABLE" | "PAYLOAD_TOO_LARGE" | "RATE_LIMITED" | "STORE_FORBIDDEN" | "STORE_NOT_FOUND" | "UNAUTHENTICATED" | "UNSUPPORTED_MEDIA_TYPE" | "UPSTREAM_UNAVAILABLE" | "VALIDATION_FAILED" | "WRONG_TOKEN_TYPE";
                            message: string;
                            requestId: string;
                        };
                    };
                };
            };
        };
    };
    redeemStampCode: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key returns the first response again, for 24 hours, when that was a success or a final refusal. After any other response a repeat runs the operation again. */
                "Idempotency-Key"?: string;
                /** @description The id of the request in responses and logs. Generated when absent. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "STAMP-7K2M9QXR",
                 *       "expected_store_id": "0190a000-0000-7000-8000-000000000001"
                 *     }
                 */
                "application/json": {
                    /** @description The code as it was shown or typed. */
                    code: string;
                    /** @description The store that the code must belong to. */
                    expected_store_id?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "stamp_id": "01a204a0-8f69-7231-a601-ac97828ecc44",
                     *       "store_id": "0190a000-0000-7000-8000-000000000001",
                     *       "store_code": "S1",
                     *       "store_name": "Corner Coffee",
                     *       "approval_reason": "guest",
                     *       "stamp_status": "pending",
                     *       "counts_now": false,
                     *       "current_stamps": 0,
                     *       "goal": 5,
                     *       "voucher_earned": false,
                     *       "voucher_id": null,
                     *       "voucher_code": null,
                     *       "already_redeemed": false,
                     *       "message": "The store will review your stamp before it counts."
                     *     }
                     */
                    "application/json": {
                        /** @description True on a repeat by the same customer. */
                        already_redeemed: boolean;
                        approval_reason: string | null;
                        /** @description False while the stamp awaits approval. */
                        counts_now: boolean;
                        current_stamps: number;
                        goal: number;
                        message: string;
                        stamp_id: string | null;
                        /** @enum {string} */
                        stamp_status: "approved" | "pending";
                        store_code: string | null;
                        store_id: string;
                        store_name: string | null;
                        voucher_code: string | null;
                        voucher_earned: boolean;
                        voucher_id: string | null;
                    };
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            /** @enum {string} */
                            code: "CODE_ALREADY_USED" | "CODE_EXPIRED" | "CODE_NOT_FOUND" | "CODE_WRONG_STORE" | "DAILY_LIMIT_REACHED" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REQUIRED" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL" | "INVALID_JSON" | "LOYALTY_DISABLED" | "METHOD_NOT_ALLOWED" | "MONTHLY_LIMIT_REACHED" | "NOT_ACCEPTABLE" | "PAYLOAD_TOO_LARGE" | "RATE_LIMITED" | "STORE_FORBIDDEN" | "UNAUTHENTICATED" | "UNSUPPORTED_MEDIA_TYPE" | "UPSTREAM_UNAVAILABLE" | "VALIDATION_FAILED" | "WRONG_TOKEN_TYPE";
                            message: string;
                            requestId: string;
                        };
                    };
                };
            };
        };
    };
    grantStamp: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key returns the first response again, for 24 hours, when that was a success or a final refusal. After any other response a repeat runs the operation again. */
                "Idempotency-Key"?: string;
                /** @description The id of the request in responses and logs. Generated when absent. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "store_id": "0190a000-0000-7000-8000-000000000001",
                 *       "customer_id": "0190a000-0000-7000-8000-0000000000a1",
                 *       "idempotency_key": "0c8a4a3e-2a0e-4e37-8a53-6f6f5a3e9b10"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The customer.
                     */
                    customer_id: string;
                    /** @description A repeat with the same key returns the first stamp. */
                    idempotency_key?: string | null;
                    /**
                     * Format: uuid
                     * @description The store. It also authorises a merchant or staff caller.
                     */
                    store_id: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "stamp_id": "01a204a0-7aad-791a-a91c-86b8cd8f4025",
                     *       "current_stamps": 3,
                     *       "goal": 5,
                     *       "voucher_earned": false,
                     *       "voucher_code": null,
                     *       "idempotent": false
                     *     }
                     */
                    "application/json": {
                        current_stamps: number;
                        goal: number;
                        idempotent: boolean;
                        stamp_id: string | null;
                        voucher_code: string | null;
                        voucher_earned: boolean;
                    };
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            /** @enum {string} */
                            code: "DAILY_LIMIT_REACHED" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REQUIRED" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL" | "INVALID_JSON" | "LOYALTY_DISABLED" | "METHOD_NOT_ALLOWED" | "MONTHLY_LIMIT_REACHED" | "NOT_ACCEPTABLE" | "PAYLOAD_TOO_LARGE" | "RATE_LIMITED" | "STORE_FORBIDDEN" | "STORE_NOT_FOUND" | "UNAUTHENTICATED" | "UNSUPPORTED_MEDIA_TYPE" | "UPSTREAM_UNAVAILABLE" | "VALIDATION_FAILED" | "WRONG_TOKEN_TYPE";
                            message: string;
                            requestId: string;
                        };
                    };
                };
            };
        };
    };
    reviewStamp: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key returns the first response again, for 24 hours, when that was a success or a final refusal. After any other response a repeat runs the operation again. */
                "Idempotency-Key"?: string;
                /** @description The id of the request in responses and logs. Generated when absent. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "store_id": "0190a000-0000-7000-8000-000000000001",
                 *       "stamp_id": "0190a000-0000-7000-8000-0000000000b1",
                 *       "action": "reject"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Whether the stamp counts.
                     * @enum {string}
                     */
                    action: "approve" | "reject";
                    /**
                     * Format: uuid
                     * @description The stamp.
                     */
                    stamp_id: string;
                    /**
                     * Format: uuid
                     * @description The store. It also authorises a merchant or staff caller.
                     */
                    store_id: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "action": "reject",
                     *       "message": "The stamp is rejected.",
                     *       "stamp_count": null,
                     *       "voucher_created": false,
                     *       "voucher_code": null
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        action: "approve" | "reject";
                        message: string;
                        stamp_count: number | null;
                        voucher_code: string | null;
                        voucher_created: boolean;
                    };
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            /** @enum {string} */
                            code: "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REQUIRED" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL" | "INVALID_JSON" | "METHOD_NOT_ALLOWED" | "MONTHLY_LIMIT_REACHED" | "NOT_ACCEPTABLE" | "PAYLOAD_TOO_LARGE" | "RATE_LIMITED" | "STAMP_ALREADY_APPROVED" | "STAMP_ALREADY_REJECTED" | "STAMP_NOT_FOUND" | "STORE_FORBIDDEN" | "UNAUTHENTICATED" | "UNSUPPORTED_MEDIA_TYPE" | "UPSTREAM_UNAVAILABLE" | "VALIDATION_FAILED" | "WRONG_TOKEN_TYPE";
                            message: string;
                            requestId: string;
                        };
                    };
                };
            };
        };
    };
    syncOfflineStamps: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key returns the first response again, for 24 hours, when that was a success or a final refusal. After any other response a repeat runs the operation again. */
                "Idempotency-Key"?: string;
                /** @description The id of the request in responses and logs. Generated when absent. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "stamps": [
                 *         {
                 *           "receipt_id": "tap-1",
                 *           "store_code": "S1"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description What the phone kept of each tap. */
                    stamps: {
                        /** @description The signature of the tap, as the phone read it. */
                        nfc_cmac?: string | null;
                        /** @description Which of the platform’s keys the tag was written with. */
                        nfc_key_version?: string | null;
                        /** @description What the tag says of itself, encrypted, as the phone read it. */
                        nfc_picc_data?: string | null;
                        /** @description Identifies the receipt. Without it the receipt fails with missing_fields. */
                        receipt_id?: string | null;
                        /** @description offline_nfc when absent. */
                        source?: string | null;
                        /** @description The id or the code of the store. Without it the receipt fails with missing_fields. */
                        store_code?: string | null;
                        /** @description The time of the tap, ISO 8601. */
                        tap_timestamp?: string | null;
                    }[];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "receipt_id": "tap-1",
                     *           "success": true,
                     *           "stamp_id": "01a204a0-799b-746e-9d55-e33f16fd0c1b",
                     *           "stamp_status": "pending",
                     *           "current_stamps": 2,
                     *           "goal": 5,
                     *           "voucher_earned": false,
                     *           "duplicate": false
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        results: components["schemas"]["OfflineResult"][];
                    };
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            /** @enum {string} */
                            code: "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REQUIRED" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL" | "INVALID_JSON" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "PAYLOAD_TOO_LARGE" | "RATE_LIMITED" | "STORE_FORBIDDEN" | "UNAUTHENTICATED" | "UNSUPPORTED_MEDIA_TYPE" | "UPSTREAM_UNAVAILABLE" | "VALIDATION_FAILED" | "WRONG_TOKEN_TYPE";
                            message: string;
                            requestId: string;
                        };
                    };
                };
            };
        };
    };
    undoStamp: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key returns the first response again, for 24 hours, when that was a success or a final refusal. After any other response a repeat runs the operation again. */
                "Idempotency-Key"?: string;
                /** @description The id of the request in responses and logs. Generated when absent. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "store_id": "0190a000-0000-7000-8000-000000000001",
                 *       "customer_id": "0190a000-0000-7000-8000-0000000000a1",
                 *       "stamp_id": "0190a000-0000-7000-8000-0000000000b1"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The customer.
                     */
                    customer_id: string;
                    /**
                     * Format: uuid
                     * @description The stamp.
                     */
                    stamp_id: string;
                    /**
                     * Format: uuid
                     * @description The store. It also authorises a merchant or staff caller.
                     */
                    store_id: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "undone": true,
                     *       "current_stamps": 0
                     *     }
                     */
                    "application/json": {
                        current_stamps: number;
                        undone: boolean;
                    };
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            /** @enum {string} */
                            code: "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REQUIRED" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL" | "INVALID_JSON" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "PAYLOAD_TOO_LARGE" | "RATE_LIMITED" | "STAMP_ALREADY_USED" | "STAMP_NOT_FOUND" | "STAMP_NOT_UNDOABLE" | "STORE_FORBIDDEN" | "UNAUTHENTICATED" | "UNSUPPORTED_MEDIA_TYPE" | "UPSTREAM_UNAVAILABLE" | "VALIDATION_FAILED" | "WRONG_TOKEN_TYPE";
                            message: string;
                            requestId: string;
                        };
                    };
                };
            };
        };
    };
    answerMarketingOptIn: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key returns the first response again, for 24 hours, when that was a success or a final refusal. After any other response a repeat runs the operation again. */
                "Idempotency-Key"?: string;
                /** @description The id of the request in responses and logs. Generated when absent. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "store_id": "0190a000-0000-7000-8000-000000000001",
                 *       "accepted": true
                 *     }
                 */
                "application/json": {
                    /** @description Whether marketing messages may be sent. */
                    accepted: boolean;
                    /**
                     * Format: uuid
                     * @description The store. It also authorises a merchant or staff caller.
                     */
                    store_id: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": {
                        ok: boolean;
                    };
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            /** @enum {string} */
                            code: "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REQUIRED" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL" | "INVALID_JSON" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "PAYLOAD_TOO_LARGE" | "RATE_LIMITED" | "STORE_FORBIDDEN" | "STORE_NOT_FOUND" | "UNAUTHENTICATED" | "UNSUPPORTED_MEDIA_TYPE" | "UPSTREAM_UNAVAILABLE" | "VALIDATION_FAILED" | "WRONG_TOKEN_TYPE";
                            message: string;
                            requestId: string;
                        };
                    };
                };
            };
        };
    };
    listPreferences: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the request in responses and logs. Generated when absent. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "preferences": [
                     *         {
                     *           "storeId": "0190a000-0000-7000-8000-000000000001",
                     *           "storeName": "Corner Coffee",
                     *           "messagesMuted": false,
                     *           "classReminders": true,
                     *           "classEventsEnabled": true,
                     *           "voucherEventsEnabled": true,
                     *           "stampEventsEnabled": true,
                     *           "membershipEventsEnabled": true,
                     *           "penaltyEventsEnabled": true,
                     *           "marketingEnabled": true
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        preferences: components["schemas"]["PreferenceRow"][];
                    };
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            /** @enum {string} */
                            code: "INSUFFICIENT_SCOPE" | "INTERNAL" | "INVALID_JSON" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "PAYLOAD_TOO_LARGE" | "RATE_LIMITED" | "STORE_FORBIDDEN" | "UNAUTHENTICATED" | "UNSUPPORTED_MEDIA_TYPE" | "UPSTREAM_UNAVAILABLE" | "VALIDATION_FAILED" | "WRONG_TOKEN_TYPE";
                            message: string;
                            requestId: string;
                        };
                    };
                };
            };
        };
    };
    upsertPreferences: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key returns the first response again, for 24 hours, when that was a success or a final refusal. After any other response a repeat runs the operation again. */
                "Idempotency-Key"?: string;
                /** @description The id of the request in responses and logs. Generated when absent. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "storeId": "0190a000-0000-7000-8000-000000000001",
                 *       "stampEventsEnabled": false
                 *     }
                 */
                "application/json": {
                    /** @description Messages about classes. Corner sends none itself. */
                    classEventsEnabled?: boolean;
                    /** @description Reminders of classes. Corner sends none itself. */
                    classReminders?: boolean;
                    /** @description Marketing messages, for which this is the consent. Corner sends none itself. */
                    marketingEnabled?: boolean;
                    /** @description Messages about memberships. Corner sends none itself. */
                    membershipEventsEnabled?: boolean;
                    /** @description Whether the customer has muted the store. It is kept for the app: no message that Corner sends depends on it. */
                    messagesMuted?: boolean;
                    /** @description Messages about penalties, such as a turn in the queue that was missed. */
                    penaltyEventsEnabled?: boolean;
                    /** @description Messages about stamps. */
                    stampEventsEnabled?: boolean;
                    /**
                     * Format: uuid
                     * @description The store. It also authorises a merchant or staff caller.
                     */
                    storeId: string;
                    /** @description Messages about vouchers. */
                    voucherEventsEnabled?: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "storeId": "0190a000-0000-7000-8000-000000000001",
                     *       "updated": true
                     *     }
                     */
                    "application/json": {
                        storeId: string;
                        updated: boolean;
                    };
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            /** @enum {string} */
                            code: "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REQUIRED" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL" | "INVALID_JSON" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "PAYLOAD_TOO_LARGE" | "RATE_LIMITED" | "STORE_FORBIDDEN" | "STORE_NOT_FOUND" | "UNAUTHENTICATED" | "UNSUPPORTED_MEDIA_TYPE" | "UPSTREAM_UNAVAILABLE" | "VALIDATION_FAILED" | "WRONG_TOKEN_TYPE";
                            message: string;
                            requestId: string;
                        };
                    };
                };
            };
        };
    };
    listWalletPasses: {
        parameters: {
            query: {
                /**
                 * @description The store. It also authorises a merchant or staff caller.
                 * @example 0190a000-0000-7000-8000-000000000001
                 */
                store_id: string;
            };
            header?: {
                /** @description The id of the request in responses and logs. Generated when absent. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "passes": [
                     *         {
                     *           "kind": "stamp_card",
                     *           "serial": "01a204a0-8049-77e1-8b1c-0e86c7524e77",
                     *           "voucher_id": null,
                     *           "reward_title": "A coffee on us",
                     *           "apple_url": "http://127.0…",
                     *           "google_url": "https://pay.…"
                     *         }
                     *       ],
                     *       "links_expire_at": "2026-11-22T19:14:17.182Z"
                     *     }
                     */
                    "application/json": {
                        /** Format: date-time */
                        links_expire_at: string;
                        passes: components["schemas"]["WalletPass"][];
                    };
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            /** @enum {string} */
                            code: "INTERNAL" | "INVALID_JSON" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "PAYLOAD_TOO_LARGE" | "RATE_LIMITED" | "STORE_FORBIDDEN" | "STORE_NOT_FOUND" | "UNAUTHENTICATED" | "UNSUPPORTED_MEDIA_TYPE" | "UPSTREAM_UNAVAILABLE" | "VALIDATION_FAILED" | "WRONG_TOKEN_TYPE";
                            message: string;
                            requestId: string;
                        };
                    };
                };
            };
        };
    };
    listOrders: {
        parameters: {
            query: {
                /** @description The created_at of the last row of the previous page. */
                before?: string;
                /** @description The id of the same row as before. */
                before_id?: string;
                /** @description Rows in a page. */
                limit?: number;
                /**
                 * @description The live queue, or what has ended.
                 * @example active
                 */
                scope?: "active" | "history";
                /**
                 * @description The store. It also authorises a merchant or staff caller.
                 * @example 0190a000-0000-7000-8000-000000000001
                 */
                store_id: string;
            };
            header?: {
                /** @description The id of the request in responses and logs. Generated when absent. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "orders": [],
                     *       "scope": "active"
                     *     }
                     */
                    "application/json": {
                        orders: components["schemas"]["Order"][];
                        /** @enum {string} */
                        scope: "active" | "history";
                    };
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            /** @enum {string} */
                            code: "INTERNAL" | "INVALID_CURSOR" | "INVALID_JSON" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "PAYLOAD_TOO_LARGE" | "RATE_LIMITED" | "STORE_FORBIDDEN" | "UNAUTHENTICATED" | "UNSUPPORTED_MEDIA_TYPE" | "UPSTREAM_UNAVAILABLE" | "VALIDATION_FAILED" | "WRONG_TOKEN_TYPE";
                            message: string;
                            requestId: string;
                        };
                    };
                };
            };
        };
    };
    createOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description Accepted, as on every change. This operation recognises a repeat by the key in the body instead. */
                "Idempotency-Key"?: string;
                /** @description The id of the request in responses and logs. Generated when absent. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "store_code": "S1",
                 *       "store_id": "0190a000-0000-7000-8000-000000000001",
                 *       "idempotency_key": "5f0c2f57-8f1e-4f0e-9a39-1d3a3f6f2b11",
                 *       "items": [
                 *         {
                 *           "menu_item_id": "flat-white",
                 *           "quantity": 2
                 *         },
                 *         {
                 *           "menu_item_id": "croissant",
                 *           "quantity": 1
                 *         }
                 *       ],
                 *       "order_type": "collect",
                 *       "collection_mode": "now"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description When it is collected: `now` is as soon as it is ready, `scheduled` in a slot. When absent, what slot_id and requested_collection_at say.
                     * @enum {string}
                     */
                    collection_mode?: "now" | "scheduled";
                    /** @description An opaque text by which the app recognises its device. Only a keyed hash of it is kept. */
                    device_fingerprint?: string | null;
                    /** @description How the order is served. Collection at the counter when absent. */
                    fulfilment?: {
                        /**
                         * @description `counter_collection` means `counter`, and `table_service` means `table`.
                         * @enum {string}
                         */
                        mode: "counter" | "table" | "counter_collection" | "table_service";
                        /** @description Required when mode is table. */
                        table_number?: string | null;
                    };
                    /** @description A mixed order: lines to take now, and one or more groups to collect. */
                    fulfilment_groups?: {
                        /**
                         * @description When it is collected: `now` is as soon as it is ready, `scheduled` in a slot. When absent, what slot_id and requested_collection_at say.
                         * @enum {string}
                         */
                        collection_mode?: "now" | "scheduled";
                        /** @description The lines of the group. */
                        items: {
                            /** @description An item of the store’s menu. */
                            menu_item_id: string;
                            /** @description How many of it. */
                            quantity: number;
                        }[];
                        /** @description A time in a collection slot, as an alternative to slot_id. */
                        requested_collection_at?: string | null;
                        /**
                         * @description Whether the group is taken at once or collected.
                         * @enum {string}
                         */
                        role: "now" | "collect";
                        /** @description The collection slot of a scheduled group. */
                        slot_id?: string | null;
                    }[];
                    /**
                     * Format: uuid
                     * @description A UUID that the client generates for the order. A repeat with the same key returns the same order.
                     */
                    idempotency_key?: string;
                    /** @description With fulfilment_groups: empty, or the exact sum of the lines of all groups. */
                    items: {
                        /** @description An item of the store’s menu. */
                        menu_item_id: string;
                        /** @description How many of it. */
                        quantity: number;
                    }[];
                    /**
                     * @description `buy_now` is taken at once, `collect` is collected when it is ready. When absent: `collect` with a collection_mode or a slot, else `buy_now`.
                     * @enum {string}
                     */
                    order_type?: "buy_now" | "collect";
                    /** @description A promo code of the store. */
                    promo_code?: string | null;
                    /** @description A time in a collection slot, as an alternative to slot_id. */
                    requested_collection_at?: string | null;
                    /** @description The collection slot of a scheduled order. */
                    slot_id?: string | null;
                    /** @description The public code of the store. It must belong to store_id. */
                    store_code: string;
                    /**
                     * Format: uuid
                     * @description The store. It also authorises a merchant or staff caller.
                     */
                    store_id: string;
                    /** @description A tip, added to the total. */
                    tip_pence?: number | null;
                    /** @description A voucher of the customer. It is reserved for this order until it is paid or ends. */
                    voucher_id?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "order_id": "01a204a0-719e-7e7b-a253-97a22d69cfd0",
                     *       "order_number": "S1-1001",
                     *       "status": "pending_payment",
                     *       "requires_payment": true,
                     *       "client_secret": "pi_3bySeF2Gu…",
                     *       "ephemeral_key": "ek_test_ldDY…",
                     *       "payment_customer_id": "cus_GsSxin54wBoFGe",
                     *       "connected_account_id": "acct_cornercoffee",
                     *       "payment_intent_id": "pi_3bySeF2Gu5rKsfCdFB2KMX3EP",
                     *       "amount_pence": 970,
                     *       "currency": "GBP",
                     *       "merchant_name": "Corner Coffee",
                     *       "collection_code": null
                     *     }
                     */
                    "application/json": {
                        amount_pence: number;
                        /** @description The collect children of a mixed order that costs nothing. */
                        children?: components["schemas"]["OrderChild"][];
                        /** @description For the payment sheet. Keep it secret. */
                        client_secret: string | null;
                        collection_code?: string | null;
                        /** @description The store’s account at the payment provider. */
                        connected_account_id: string;
                        currency: string;
                        /** @description For the payment sheet. Keep it secret. */
                        ephemeral_key: string | null;
                        merchant_name: string;
                        /**
                         * Format: uuid
                         * @description The order.
                         */
                        order_id: string;
                        order_number: string;
                        payment_customer_id: string | null;
                        payment_intent_id: string | null;
                        /** @description True while the order awaits a payment. */
                        requires_payment: boolean;
                        status: string;
                    };
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            /** @enum {string} */
                            code: "AMOUNT_BELOW_MINIMUM" | "GROUPS_MISMATCH" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL" | "INVALID_JSON" | "ITEM_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "OUT_OF_STOCK" | "PAYLOAD_TOO_LARGE" | "PAYMENT_PROVIDER_ERROR" | "PROMO_EXPIRED" | "PROMO_INVALID" | "PROMO_LIMIT_REACHED" | "PROMO_NOT_APPLICABLE" | "RATE_LIMITED" | "SLOT_CLOSED" | "SLOT_JUST_FILLED" | "SLOT_MISMATCH" | "SLOT_NOT_FOUND" | "STORE_CLOSED" | "STORE_CODE_MISMATCH" | "STORE_FORBIDDEN" | "STORE_NOT_ACCEPTING_ORDERS" | "STORE_NOT_FOUND" | "UNAUTHENTICATED" | "UNSUPPORTED_MEDIA_TYPE" | "UPSTREAM_UNAVAILABLE" | "VALIDATION_FAILED" | "VOUCHER_ALREADY_REDEEMED" | "VOUCHER_EXPIRED" | "VOUCHER_NOT_APPLICABLE" | "VOUCHER_NOT_FOUND" | "VOUCHER_RESERVED" | "VOUCHER_VOIDED" | "WRONG_TOKEN_TYPE";
                            message: string;
                            requestId: string;
                        };
                    };
                };
            };
        };
    };
    getOrder: {
        parameters: {
            query: {
                /**
                 * @description The store. It also authorises a merchant or staff caller.
                 * @example 0190a000-0000-7000-8000-000000000001
                 */
                store_id: string;
            };
            header?: {
                /** @description The id of the request in responses and logs. Generated when absent. */
                "X-Request-Id"?: string;
            };
            path: {
                /**
                 * @description The order.
                 * @example 0190a000-0000-7000-8000-0000000000e1
                 */
                orderId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "order": {
                     *         "id": "01a204a0-719e-7e7b-a253-97a22d69cfd0",
                     *         "store_id": "0190a000-0000-7000-8000-000000000001",
                     *         "order_type": "collect",
                     *         "fulfilment_status": "accepted",
                     *         "collection_code": "BCP7",
                     *         "collection_mode": "now",
                     *         "requested_collection_at": "2026-11-22T19:03:17.864000Z",
                     *         "accepted_at": "2026-11-22T18:59:17.864000Z",
                     *         "preparing_at": null,
                     *         "ready_at": null,
                     *         "collected_at": null,
                     *         "created_at": "2026-11-22T18:59:13.470697Z",
                     *         "order_number": "S1-1001",
                     *         "status": "paid",
                     *         "total_pence": 970,
                     *         "currency": "GBP",
                     *         "tip_pence": 0,
                     *         "discount_pence": 0,
                     *         "refunded_pence": 0,
                     *         "disputed": false,
                     *         "customer_name": "Ana",
                     *         "table_number": null,
                     *         "parent_order_id": null,
                     *         "revised_ready_at": null,
                     *         "items": [
                     *           {
                     *             "menu_item_id": "flat-white",
                     *             "name": "Flat white",
                     *             "quantity": 2,
                     *             "unit_price_pence": 340,
                     *             "total_pence": 680
                     *           },
                     *           {
                     *             "menu_item_id": "croissant",
                     *             "name": "Croissant",
                     *             "quantity": 1,
                     *             "unit_price_pence": 290,
                     *             "total_pence": 290
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        order: components["schemas"]["Order"];
                    };
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            /** @enum {string} */
                            code: "INTERNAL" | "INVALID_JSON" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "ORDER_NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "RATE_LIMITED" | "STORE_FORBIDDEN" | "UNAUTHENTICATED" | "UNSUPPORTED_MEDIA_TYPE" | "UPSTREAM_UNAVAILABLE" | "VALIDATION_FAILED" | "WRONG_TOKEN_TYPE";
                            message: string;
                            requestId: string;
                        };
                    };
                };
            };
        };
    };
    advanceFulfilment: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key returns the first response again, for 24 hours, when that was a success or a final refusal. After any other response a repeat runs the operation again. */
                "Idempotency-Key"?: string;
                /** @description The id of the request in responses and logs. Generated when absent. */
                "X-Request-Id"?: string;
            };
            path: {
                /**
                 * @description The order.
                 * @example 0190a000-0000-7000-8000-0000000000e1
                 */
                orderId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "store_id": "0190a000-0000-7000-8000-000000000001",
                 *       "to_status": "preparing"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The store. It also authorises a merchant or staff caller.
                     */
                    store_id: string;
                    /**
                     * @description The next status.
                     * @enum {string}
                     */
                    to_status: "accepted" | "preparing" | "ready" | "collected" | "cancelled";
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "order": {
                     *         "id": "01a204a0-719e-7e7b-a253-97a22d69cfd0",
                     *         "store_id": "0190a000-0000-7000-8000-000000000001",
                     *         "order_type": "collect",
                     *         "fulfilment_status": "preparing",
                     *         "collection_code": "BCP7",
                     *         "collection_mode": "now",
                     *         "requested_collection_at": "2026-11-22T19:03:17.864000Z",
                     *         "accepted_at": "2026-11-22T18:59:17.864000Z",
                     *         "preparing_at": "2026-11-22T18:59:18.394000Z",
                     *         "ready_at": null,
                     *         "collected_at": null,
                     *         "created_at": "2026-11-22T18:59:13.470697Z",
                     *         "order_number": "S1-1001",
                     *         "status": "paid",
                     *         "total_pence": 970,
                     *         "currency": "GBP",
                     *         "tip_pence": 0,
                     *         "discount_pence": 0,
                     *         "refunded_pence": 0,
                     *         "disputed": false,
                     *         "customer_name": "Ana",
                     *         "table_number": null,
                     *         "parent_order_id": null,
                     *         "revised_ready_at": null,
                     *         "items": [
                     *           {
                     *             "menu_item_id": "flat-white",
                     *             "name": "Flat white",
                     *             "quantity": 2,
                     *             "unit_price_pence": 340,
                     *             "total_pence": 680
                     *           },
                     *           {
                     *             "menu_item_id": "croissant",
                     *             "name": "Croissant",
                     *             "quantity": 1,
                     *             "unit_price_pence": 290,
                     *             "total_pence": 290
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        order: components["schemas"]["Order"];
                    };
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            /** @enum {string} */
                            code: "FULFILMENT_NOT_APPLICABLE" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REQUIRED" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL" | "INVALID_JSON" | "INVALID_TRANSITION" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "ORDER_NOT_FOUND" | "ORDER_NOT_PAID" | "PAYLOAD_TOO_LARGE" | "RATE_LIMITED" | "STORE_FORBIDDEN" | "UNAUTHENTICATED" | "UNSUPPORTED_MEDIA_TYPE" | "UPSTREAM_UNAVAILABLE" | "VALIDATION_FAILED" | "WRONG_TOKEN_TYPE";
                            message: string;
                            requestId: string;
                        };
                    };
                };
            };
        };
    };
    orderLog: {
        parameters: {
            query?: {
                /**
                 * @description The store of the order.
                 * @example 0190a000-0000-7000-8000-000000000001
                 */
                store_id?: string;
            };
            header?: {
                /** @description The id of the request in responses and logs. Generated when absent. */
                "X-Request-Id"?: string;
            };
            path: {
                /**
                 * @description The order.
                 * @example 0190a000-0000-7000-8000-0000000000e1
                 */
                orderId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "entries": [
                     *         {
                     *           "at": "2026-11-22T18:59:17.864000Z",
                     *           "title": "Payment was received",
                     *           "detail": null,
                     *           "actor": null,
                     *           "amount_pence": 970
                     *         },
                     *         {
                     *           "at": "2026-11-22T18:59:13.422000Z",
                     *           "title": "The customer placed the order",
                     *           "detail": null,
                     *           "actor": null,
                     *           "amount_pence": 970
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        entries: components["schemas"]["OrderLogEntry"][];
                    };
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            /** @enum {string} */
                            code: "INTERNAL" | "INVALID_JSON" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "ORDER_NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "RATE_LIMITED" | "STORE_FORBIDDEN" | "UNAUTHENTICATED" | "UNSUPPORTED_MEDIA_TYPE" | "UPSTREAM_UNAVAILABLE" | "VALIDATION_FAILED" | "WRONG_TOKEN_TYPE";
                            message: string;
                            requestId: string;
                        };
                    };
                };
            };
        };
    };
    getMyOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the reply that the caller has. */
                "If-None-Match"?: string;
                /** @description Of a stream: the id of the last event that the client has. */
                "Last-Event-ID"?: string;
                /** @description The id of the request in responses and logs. Generated when absent. */
                "X-Request-Id"?: string;
            };
            path: {
                /**
                 * @description The order.
                 * @example 0190a000-0000-7000-8000-0000000000e1
                 */
                orderId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "order": {
                     *         "id": "01a204b6-80be-7f67-8715-efdc06599ad8",
                     *         "store_id": "0190a000-0000-7000-8000-000000000001",
                     *         "store_name": "Corner Coffee",
                     *         "order_number": "S1-1001",
                     *         "status": "paid",
                     *         "order_type": "collect",
                     *         "fulfilment_status": "accepted",
                     *         "collection_code": "AJ9Y",
                     *         "collection_mode": "now",
                     *         "table_number": null,
                     *         "requested_collection_at": "2026-11-22T19:27:20.093000Z",
                     *         "revised_ready_at": null,
                     *         "prep_minutes": 4,
                     *         "created_at": "2026-11-22T19:23:19.105729Z",
                     *         "accepted_at": "2026-11-22T19:23:20.093000Z",
                     *         "preparing_at": null,
                     *         "ready_at": null,
                     *         "collected_at": null,
                     *         "total_pence": 970,
                     *         "currency": "GBP",
                     *         "tip_pence": 0,
                     *         "discount_pence": 0,
                     *         "refunded_pence": 0,
                     *         "items": [
                     *           {
                     *             "menu_item_id": "flat-white",
                     *             "name": "Flat white",
                     *             "quantity": 2,
                     *             "unit_price_pence": 340,
                     *             "total_pence": 680
                     *           },
                     *           {
                     *             "menu_item_id": "croissant",
                     *             "name": "Croissant",
                     *             "quantity": 1,
                     *             "unit_price_pence": 290,
                     *             "total_pence": 290
                     *           }
                     *         ],
                     *         "children": []
                     *       }
                     *     }
                     */
                    "application/json": {
                        order: components["schemas"]["CustomerOrder"];
                    };
                    "text/event-stream": components["schemas"]["Changes"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            /** @enum {string} */
                            code: "INTERNAL" | "INVALID_JSON" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "ORDER_NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "RATE_LIMITED" | "STORE_FORBIDDEN" | "UNAUTHENTICATED" | "UNSUPPORTED_MEDIA_TYPE" | "UPSTREAM_UNAVAILABLE" | "VALIDATION_FAILED" | "WRONG_TOKEN_TYPE";
                            message: string;
                            requestId: string;
                        };
                    };
                };
            };
        };
    };
    notifyDelay: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key returns the first response again, for 24 hours, when that was a success or a final refusal. After any other response a repeat runs the operation again. */
                "Idempotency-Key"?: string;
                /** @description The id of the request in responses and logs. Generated when absent. */
                "X-Request-Id"?: string;
            };
            path: {
                /**
                 * @description The order.
                 * @example 0190a000-0000-7000-8000-0000000000e1
                 */
                orderId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "store_id": "0190a000-0000-7000-8000-000000000001",
                 *       "delayMinutes": 10,
                 *       "note": "The oven is slow today."
                 *     }
                 */
                "application/json": {
                    /** @description Minutes to add to the expected ready time. */
                    delayMinutes?: number;
                    /**
                     * Format: date-time
                     * @description The new ready time.
                     */
                    newReadyAt?: string;
                    /** @description Sent to the customer. */
                    note?: string | null;
                    /**
                     * Format: uuid
                     * @description The store. It also authorises a merchant or staff caller.
                     */
                    store_id: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true,
                     *       "newEta": "2026-11-22T19:13:17.864Z",
                     *       "notified": "push"
                     *     }
                     */
                    "application/json": {
                        channel_detail?: string;
                        /** @description The new ready time that was stored. */
                        newEta: string | null;
                        /**
                         * @description The channel of the message to the customer.
                         * @enum {string}
                         */
                        notified: "push" | "email" | "none";
                        ok: boolean;
                    };
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            /** @enum {string} */
                            code: "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REQUIRED" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL" | "INVALID_ETA" | "INVALID_JSON" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "ORDER_NOT_FOUND" | "ORDER_NOT_PAID" | "ORDER_TERMINAL" | "PAYLOAD_TOO_LARGE" | "RATE_LIMITED" | "STORE_FORBIDDEN" | "UNAUTHENTICATED" | "UNSUPPORTED_MEDIA_TYPE" | "UPSTREAM_UNAVAILABLE" | "VALIDATION_FAILED" | "WRONG_TOKEN_TYPE";
                            message: string;
                            requestId: string;
                        };
                    };
                };
            };
        };
    };
    refundOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key returns the first response again, for 24 hours, when that was a success or a final refusal. After any other response a repeat runs the operation again. */
                "Idempotency-Key"?: string;
                /** @description The id of the request in responses and logs. Generated when absent. */
                "X-Request-Id"?: string;
            };
            path: {
                /**
                 * @description The order.
                 * @example 0190a000-0000-7000-8000-0000000000e1
                 */
                orderId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "store_id": "0190a000-0000-7000-8000-000000000001",
                 *       "reason": "The croissant was cold.",
                 *       "amount_pence": 290
                 *     }
                 */
                "application/json": {
                    /** @description The amount to refund. All that is left when absent. */
                    amount_pence?: number | null;
                    /** @description Stored in the order log. */
                    reason: string;
                    /** @description A UUID that the client generates for each refund. */
                    refund_attempt_id?: string | null;
                    /**
                     * Format: uuid
                     * @description The store. It also authorises a merchant or staff caller.
                     */
                    store_id: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "refund": {
                     *         "id": "re_3onUkQ2HSPg83YF9Z3oJfpjFM",
                     *         "status": "succeeded",
                     *         "amount": 290
                     *       }
                     *     }
                     */
                    "application/json": {
                        refund: components["schemas"]["Refund"];
                    };
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            /** @enum {string} */
                            code: "ALREADY_REFUNDED" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REQUIRED" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL" | "INVALID_JSON" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "ORDER_DISPUTED" | "ORDER_NOT_FOUND" | "ORDER_NOT_PAID" | "PAYLOAD_TOO_LARGE" | "RATE_LIMITED" | "REFUND_AMOUNT_EXCEEDS_REMAINING" | "REFUND_LIMIT_REACHED" | "REFUND_REJECTED" | "REFUND_WINDOW_EXPIRED" | "STORE_FORBIDDEN" | "UNAUTHENTICATED" | "UNSUPPORTED_MEDIA_TYPE" | "UPSTREAM_UNAVAILABLE" | "VALIDATION_FAILED" | "WRONG_TOKEN_TYPE";
                            message: string;
                            requestId: string;
                        };
                    };
                };
            };
        };
    };
    setBusinessStatus: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key returns the first response again, for 24 hours, when that was a success or a final refusal. After any other response a repeat runs the operation again. */
                "Idempotency-Key"?: string;
                /** @description The id of the request in responses and logs. Generated when absent. */
                "X-Request-Id"?: string;
            };
            path: {
                /**
                 * @description The order.
                 * @example 0190a000-0000-7000-8000-0000000000e1
                 */
                orderId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "store_id": "0190a000-0000-7000-8000-000000000001",
                 *       "status": "fulfilled"
                 *     }
                 */
                "application/json": {
                    /** @description Required to correct an earlier status. */
                    note?: string | null;
                    /**
                     * @description The new status.
                     * @enum {string}
                     */
                    status: "ready" | "fulfilled" | "cancelled";
                    /**
                     * Format: uuid
                     * @description The store. It also authorises a merchant or staff caller.
                     */
                    store_id: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "order": {
                     *         "id": "01a204a0-8835-7678-b9fc-7aa9cec3590b",
                     *         "store_id": "0190a000-0000-7000-8000-000000000001",
                     *         "status": "fulfilled",
                     *         "order_type": "collect",
                     *         "fulfilled_at": "2026-11-22T18:59:20.574000Z",
                     *         "cancelled_at": null,
                     *         "refundable_pence": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        order: components["schemas"]["OrderStatusView"];
                    };
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            /** @enum {string} */
                            code: "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REQUIRED" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL" | "INVALID_JSON" | "INVALID_TRANSITION" | "METHOD_NOT_ALLOWED" | "NOTE_REQUIRED" | "NOT_ACCEPTABLE" | "ORDER_NOT_FOUND" | "ORDER_NOT_PAID" | "PAYLOAD_TOO_LARGE" | "PAYMENT_MISMATCH" | "PAYMENT_PROVIDER_ERROR" | "RATE_LIMITED" | "STORE_FORBIDDEN" | "UNAUTHENTICATED" | "UNSUPPORTED_MEDIA_TYPE" | "UPSTREAM_UNAVAILABLE" | "VALIDATION_FAILED" | "WRONG_TOKEN_TYPE";
                            message: string;
                            requestId: string;
                        };
                    };
                };
            };
        };
    };
    collectEarlier: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key returns the first response again, for 24 hours, when that was a success or a final refusal. After any other response a repeat runs the operation again. */
                "Idempotency-Key"?: string;
                /** @description The id of the request in responses and logs. Generated when absent. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "store_id": "0190a000-0000-7000-8000-000000000001",
                 *       "order_id": "0190a000-0000-7000-8000-0000000000e1",
                 *       "slot_id": "0190a000-0000-7000-8000-0000000000f1"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The order.
                     */
                    order_id: string;
                    /**
                     * Format: uuid
                     * @description The earlier slot.
                     */
                    slot_id: string;
                    /**
                     * Format: uuid
                     * @description The store. It also authorises a merchant or staff caller.
                     */
                    store_id: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "to_slot_id": "0190a000-0000-7000-8000-000000000105",
                     *       "requested_collection_at": "2026-11-22T20:00:00.000000Z",
                     *       "orders_remaining": 7
                     *     }
                     */
                    "application/json": {
                        /** @description Orders that the slot can still take. Null when it is unlimited. */
                        orders_remaining: number | null;
                        /** @description The start of the slot, ISO 8601 in UTC. */
                        requested_collection_at: string;
                        /** Format: uuid */
                        to_slot_id: string;
                    };
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            /** @enum {string} */
                            code: "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REQUIRED" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL" | "INVALID_JSON" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "NOT_EARLIER" | "ORDER_HAS_NO_SLOT" | "ORDER_NOT_FOUND" | "ORDER_NOT_READY" | "PAYLOAD_TOO_LARGE" | "RATE_LIMITED" | "SLOT_CLOSED" | "SLOT_JUST_FILLED" | "SLOT_NOT_FOUND" | "STORE_FORBIDDEN" | "UNAUTHENTICATED" | "UNSUPPORTED_MEDIA_TYPE" | "UPSTREAM_UNAVAILABLE" | "VALIDATION_FAILED" | "WRONG_TOKEN_TYPE";
                            message: string;
                            requestId: string;
                        };
                    };
                };
            };
        };
    };
    confirmOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key returns the first response again, for 24 hours, when that was a success or a final refusal. After any other response a repeat runs the operation again. */
                "Idempotency-Key"?: string;
                /** @description The id of the request in responses and logs. Generated when absent. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "store_id": "0190a000-0000-7000-8000-000000000001",
                 *       "payment_intent_id": "pi_example"
                 *     }
                 */
                "application/json": {
                    /** @description The payment intent that createOrder returned. */
                    payment_intent_id: string;
                    /**
                     * Format: uuid
                     * @description The store. It also authorises a merchant or staff caller.
                     */
                    store_id: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "order_id": "01a204a0-719e-7e7b-a253-97a22d69cfd0",
                     *       "order_number": "S1-1001",
                     *       "status": "paid",
                     *       "payment_intent_id": "pi_3bySeF2Gu5rKsfCdFB2KMX3EP",
                     *       "order_type": "collect",
                     *       "fulfilment_status": "accepted",
                     *       "total_pence": 970,
                     *       "currency": "GBP",
                     *       "collection_code": "BCP7",
                     *       "prep_minutes": 4,
                     *       "applied_voucher_id": null,
                     *       "applied_promo_code": null,
                     *       "applied_promo_label": null,
                     *       "collection_mode": "now",
                     *       "requested_collection_at": "2026-11-22T19:03:17.864000Z",
                     *       "reward_title": "A coffee on us",
                     *       "reward_unlock_message": null,
                     *       "welcome_message": "Welcome to Corner Coffee.",
                     *       "subtotal_pence": 970,
                     *       "discount_pence": 0,
                     *       "promo_discount_pence": 0,
                     *       "voucher_discount_pence": 0,
                     *       "loyalty_awarded": true,
                     *       "voucher_minted": false,
                     *       "is_first_order": true,
                     *       "ask_marketing_opt_in": false,
                     *       "stamps_added": 1,
                     *       "stamp_count": 4,
                     *       "goal": 5
                     *     }
                     */
                    "application/json": {
                        applied_promo_code?: string | null;
                        applied_promo_label?: string | null;
                        applied_voucher_id?: string | null;
                        ask_marketing_opt_in?: boolean | null;
                        children?: components["schemas"]["OrderChild"][];
                        collection_code: string | null;
                        collection_mode?: string | null;
                        currency: string | null;
                        discount_pence?: number | null;
                        fulfilment_status: string;
                        goal?: number;
                        is_first_order?: boolean;
                        loyalty_awarded?: boolean;
                        /**
                         * Format: uuid
                         * @description The order.
                         */
                        order_id: string;
                        order_number: string;
                        order_type: string;
                        payment_intent_id: string;
                        prep_minutes: number | null;
                        promo_discount_pence?: number | null;
                        requested_collection_at?: string | null;
                        reward_title?: string | null;
                        reward_unlock_message?: string | null;
                        stamp_count?: number;
                        stamps_added?: number;
                        status: string;
                        subtotal_pence?: number | null;
                        total_pence: number | null;
                        voucher_discount_pence?: number | null;
                        voucher_minted?: boolean;
                        welcome_message?: string | null;
                    };
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            /** @enum {string} */
                            code: "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REQUIRED" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL" | "INVALID_JSON" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "ORDER_NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "PAYMENT_INTENT_NOT_ON_PLATFORM" | "PAYMENT_MISMATCH" | "PAYMENT_NOT_SUCCEEDED" | "PAYMENT_PROVIDER_ERROR" | "RATE_LIMITED" | "STORE_FORBIDDEN" | "UNAUTHENTICATED" | "UNSUPPORTED_MEDIA_TYPE" | "UPSTREAM_UNAVAILABLE" | "VALIDATION_FAILED" | "WRONG_TOKEN_TYPE";
                            message: string;
                            requestId: string;
                        };
                    };
                };
            };
        };
    };
    listMyOrders: {
        parameters: {
            query?: {
                /** @description The created_at of the last order of the previous page. */
                before?: string;
                /** @description The id of the same order as before. */
                before_id?: string;
                /**
                 * @description Rows in a page.
                 * @example 10
                 */
                limit?: number;
            };
            header?: {
                /** @description The ETag of the reply that the caller has. */
                "If-None-Match"?: string;
                /** @description The id of the request in responses and logs. Generated when absent. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "orders": []
                     *     }
                     */
                    "application/json": {
                        orders: components["schemas"]["CustomerOrder"][];
                    };
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            /** @enum {string} */
                            code: "INTERNAL" | "INVALID_CURSOR" | "INVALID_JSON" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "PAYLOAD_TOO_LARGE" | "RATE_LIMITED" | "STORE_FORBIDDEN" | "UNAUTHENTICATED" | "UNSUPPORTED_MEDIA_TYPE" | "UPSTREAM_UNAVAILABLE" | "VALIDATION_FAILED" | "WRONG_TOKEN_TYPE";
                            message: string;
                            requestId: string;
                        };
                    };
                };
            };
        };
    };
    listStores: {
        parameters: {
            query?: {
                /** @description The id of the last store of the previous page. */
                after?: string;
                /**
                 * @description The public code of a store, as on its counter card.
                 * @example S1
                 */
                code?: string;
                /** @description Rows in a page. */
                limit?: number;
            };
            header?: {
                /** @description The ETag of the reply that the caller has. */
                "If-None-Match"?: string;
                /** @description The id of the request in responses and logs. Generated when absent. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "stores": [
                     *         {
                     *           "id": "0190a000-0000-7000-8000-000000000001",
                     *           "code": "S1",
                     *           "name": "Corner Coffee",
                     *           "currency": "GBP",
                     *           "time_zone": "Europe/London",
                     *           "hours": [],
                     *           "takes_orders": "now",
                     *           "reason": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        stores: components["schemas"]["Store"][];
                    };
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            /** @enum {string} */
                            code: "INTERNAL" | "INVALID_JSON" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "PAYLOAD_TOO_LARGE" | "RATE_LIMITED" | "STORE_FORBIDDEN" | "UNAUTHENTICATED" | "UNSUPPORTED_MEDIA_TYPE" | "UPSTREAM_UNAVAILABLE" | "VALIDATION_FAILED" | "WRONG_TOKEN_TYPE";
                            message: string;
                            requestId: string;
                        };
                    };
                };
            };
        };
    };
    readMenu: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the reply that the caller has. */
                "If-None-Match"?: string;
                /** @description The id of the request in responses and logs. Generated when absent. */
                "X-Request-Id"?: string;
            };
            path: {
                /**
                 * @description The store. It also authorises a merchant or staff caller.
                 * @example 0190a000-0000-7000-8000-000000000001
                 */
                store_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "store": {
                     *         "id": "0190a000-0000-7000-8000-000000000001",
                     *         "code": "S1",
                     *         "name": "Corner Coffee",
                     *         "currency": "GBP",
                     *         "time_zone": "Europe/London",
                     *         "hours": [],
                     *         "takes_orders": "now",
                     *         "reason": null
                     *       },
                     *       "items": [
                     *         {
                     *           "id": "toastie",
                     *           "name": "Cheese toastie",
                     *           "price_pence": 620,
                     *           "prep_minutes": 8,
                     *           "sold_out": false
                     *         },
                     *         {
                     *           "id": "croissant",
                     *           "name": "Croissant",
                     *           "price_pence": 290,
                     *           "prep_minutes": 1,
                     *           "sold_out": false
                     *         },
                     *         {
                     *           "id": "espresso",
                     *           "name": "Espresso",
                     *           "price_pence": 240,
                     *           "prep_minutes": 2,
                     *           "sold_out": false
                     *         },
                     *         {
                     *           "id": "filter",
                     *           "name": "Filter coffee",
                     *           "price_pence": 290,
                     *           "prep_minutes": 3,
                     *           "sold_out": false
                     *         },
                     *         {
                     *           "id": "flat-white",
                     *           "name": "Flat white",
                     *           "price_pence": 340,
                     *           "prep_minutes": 4,
                     *           "sold_out": false
                     *         },
                     *         {
                     *           "id": "hot-chocolate",
                     *           "name": "Hot chocolate",
                     *           "price_pence": 360,
                     *           "prep_minutes": 4,
                     *           "sold_out": false
                     *         },
                     *         {
                     *           "id": "beans-250g",
                     *           "name": "House beans, 250 g",
                     *           "price_pence": 950,
                     *           "prep_minutes": 1,
                     *           "sold_out": false
                     *         },
                     *         {
                     *           "id": "tap-water",
                     *           "name": "Tap water",
                     *           "price_pence": 0,
                     *           "prep_minutes": 1,
                     *           "sold_out": false
                     *         },
                     *         {
                     *           "id": "last-cinnamon-bun",
                     *           "name": "The last cinnamon bun",
                     *           "price_pence": 310,
                     *           "prep_minutes": 1,
                     *           "sold_out": false
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["StoreMenuItem"][];
                        store: components["schemas"]["Store"];
                    };
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            /** @enum {string} */
                            code: "INTERNAL" | "INVALID_JSON" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "PAYLOAD_TOO_LARGE" | "RATE_LIMITED" | "STORE_FORBIDDEN" | "STORE_NOT_FOUND" | "UNAUTHENTICATED" | "UNSUPPORTED_MEDIA_TYPE" | "UPSTREAM_UNAVAILABLE" | "VALIDATION_FAILED" | "WRONG_TOKEN_TYPE";
                            message: string;
                            requestId: string;
                        };
                    };
                };
            };
        };
    };
    listOpenSlots: {
        parameters: {
            query?: {
                /** @description Only slots that end after it. Now when absent. */
                from?: string;
                /** @description Rows in a page. */
                limit?: number;
            };
            header?: {
                /** @description The ETag of the reply that the caller has. */
                "If-None-Match"?: string;
                /** @description The id of the request in responses and logs. Generated when absent. */
                "X-Request-Id"?: string;
            };
            path: {
                /**
                 * @description The store. It also authorises a merchant or staff caller.
                 * @example 0190a000-0000-7000-8000-000000000001
                 */
                store_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "slots": [
                     *         {
                     *           "id": "0190a000-0000-7000-8000-000000000104",
                     *           "starts_at": "2026-11-22T19:00:00.000000Z",
                     *           "ends_at": "2026-11-22T20:00:00.000000Z",
                     *           "orders_remaining": 8
                     *         },
                     *         {
                     *           "id": "0190a000-0000-7000-8000-000000000105",
                     *           "starts_at": "2026-11-22T20:00:00.000000Z",
                     *           "ends_at": "2026-11-22T21:00:00.000000Z",
                     *           "orders_remaining": 8
                     *         },
                     *         {
                     *           "id": "0190a000-0000-7000-8000-000000000106",
                     *           "starts_at": "2026-11-22T21:00:00.000000Z",
                     *           "ends_at": "2026-11-22T22:00:00.000000Z",
                     *           "orders_remaining": 8
                     *         },
                     *         {
                     *           "id": "0190a000-0000-7000-8000-000000000107",
                     *           "starts_at": "2026-11-22T22:00:00.000000Z",
                     *           "ends_at": "2026-11-22T23:00:00.000000Z",
                     *           "orders_remaining": 8
                     *         },
                     *         {
                     *           "id": "0190a000-0000-7000-8000-000000000108",
                     *           "starts_at": "2026-11-22T23:00:00.000000Z",
                     *           "ends_at": "2026-11-23T00:00:00.000000Z",
                     *           "orders_remaining": 1
                     *         },
                     *         {
                     *           "id": "0190a000-0000-7000-8000-000000000109",
                     *           "starts_at": "2026-11-23T00:00:00.000000Z",
                     *           "ends_at": "2026-11-23T01:00:00.000000Z",
                     *           "orders_remaining": null
                     *         },
                     *         {
                     *           "id": "0190a000-0000-7000-8000-00000000010a",
                     *           "starts_at": "2026-11-23T01:00:00.000000Z",
                     *           "ends_at": "2026-11-23T02:00:00.000000Z",
                     *           "orders_remaining": 8
                     *         },
                     *         {
                     *           "id": "0190a000-0000-7000-8000-00000000010b",
                     *           "starts_at": "2026-11-23T02:00:00.000000Z",
                     *           "ends_at": "2026-11-23T03:00:00.000000Z",
                     *           "orders_remaining": 8
                     *         },
                     *         {
                     *           "id": "0190a000-0000-7000-8000-00000000010c",
                     *           "starts_at": "2026-11-23T03:00:00.000000Z",
                     *           "ends_at": "2026-11-23T04:00:00.000000Z",
                     *           "orders_remaining": 8
                     *         },
                     *         {
                     *           "id": "0190a000-0000-7000-8000-00000000010d",
                     *           "starts_at": "2026-11-23T04:00:00.000000Z",
                     *           "ends_at": "2026-11-23T05:00:00.000000Z",
                     *           "orders_remaining": 8
                     *         },
                     *         {
                     *           "id": "0190a000-0000-7000-8000-00000000010e",
                     *           "starts_at": "2026-11-23T05:00:00.000000Z",
                     *           "ends_at": "2026-11-23T06:00:00.000000Z",
                     *           "orders_remaining": 1
                     *         },
                     *         {
                     *           "id": "0190a000-0000-7000-8000-00000000010f",
                     *           "starts_at": "2026-11-23T06:00:00.000000Z",
                     *           "ends_at": "2026-11-23T07:00:00.000000Z",
                     *           "orders_remaining": null
                     *         },
                     *         {
                     *           "id": "0190a000-0000-7000-8000-000000000110",
                     *           "starts_at": "2026-11-23T07:00:00.000000Z",
                     *           "ends_at": "2026-11-23T08:00:00.000000Z",
                     *           "orders_remaining": 8
                     *         },
                     *         {
                     *           "id": "0190a000-0000-7000-8000-000000000111",
                     *           "starts_at": "2026-11-23T08:00:00.000000Z",
                     *           "ends_at": "2026-11-23T09:00:00.000000Z",
                     *           "orders_remaining": 8
                     *         },
                     *         {
                     *           "id": "0190a000-0000-7000-8000-000000000112",
                     *           "starts_at": "2026-11-23T09:00:00.000000Z",
                     *           "ends_at": "2026-11-23T10:00:00.000000Z",
                     *           "orders_remaining": 8
                     *         },
                     *         {
                     *           "id": "0190a000-0000-7000-8000-000000000113",
                     *           "starts_at": "2026-11-23T10:00:00.000000Z",
                     *           "ends_at": "2026-11-23T11:00:00.000000Z",
                     *           "orders_remaining": 8
                     *         },
                     *         {
                     *           "id": "0190a000-0000-7000-8000-000000000114",
                     *           "starts_at": "2026-11-23T11:00:00.000000Z",
                     *           "ends_at": "2026-11-23T12:00:00.000000Z",
                     *           "orders_remaining": 1
                     *         },
                     *         {
                     *           "id": "0190a000-0000-7000-8000-000000000115",
                     *           "starts_at": "2026-11-23T12:00:00.000000Z",
                     *           "ends_at": "2026-11-23T13:00:00.000000Z",
                     *           "orders_remaining": null
                     *         },
                     *         {
                     *           "id": "0190a000-0000-7000-8000-000000000116",
                     *           "starts_at": "2026-11-23T13:00:00.000000Z",
                     *           "ends_at": "2026-11-23T14:00:00.000000Z",
                     *           "orders_remaining": 8
                     *         },
                     *         {
                     *           "id": "0190a000-0000-7000-8000-000000000117",
                     *           "starts_at": "2026-11-23T14:00:00.000000Z",
                     *           "ends_at": "2026-11-23T15:00:00.000000Z",
                     *           "orders_remaining": 8
                     *         },
                     *         {
                     *           "id": "0190a000-0000-7000-8000-000000000118",
                     *           "starts_at": "2026-11-23T15:00:00.000000Z",
                     *           "ends_at": "2026-11-23T16:00:00.000000Z",
                     *           "orders_remaining": 8
                     *         },
                     *         {
                     *           "id": "0190a000-0000-7000-8000-000000000119",
                     *           "starts_at": "2026-11-23T16:00:00.000000Z",
                     *           "ends_at": "2026-11-23T17:00:00.000000Z",
                     *           "orders_remaining": 8
                     *         },
                     *         {
                     *           "id": "0190a000-0000-7000-8000-00000000011a",
                     *           "starts_at": "2026-11-23T17:00:00.000000Z",
                     *           "ends_at": "2026-11-23T18:00:00.000000Z",
                     *           "orders_remaining": 1
                     *         },
                     *         {
                     *           "id": "0190a000-0000-7000-8000-00000000011b",
                     *           "starts_at": "2026-11-23T18:00:00.000000Z",
                     *           "ends_at": "2026-11-23T19:00:00.000000Z",
                     *           "orders_remaining": null
                     *         },
                     *         {
                     *           "id": "0190a000-0000-7000-8000-00000000011c",
                     *           "starts_at": "2026-11-23T19:00:00.000000Z",
                     *           "ends_at": "2026-11-23T20:00:00.000000Z",
                     *           "orders_remaining": 8
                     *         },
                     *         {
                     *           "id": "0190a000-0000-7000-8000-00000000011d",
                     *           "starts_at": "2026-11-23T20:00:00.000000Z",
                     *           "ends_at": "2026-11-23T21:00:00.000000Z",
                     *           "orders_remaining": 8
                     *         },
                     *         {
                     *           "id": "0190a000-0000-7000-8000-00000000011e",
                     *           "starts_at": "2026-11-23T21:00:00.000000Z",
                     *           "ends_at": "2026-11-23T22:00:00.000000Z",
                     *           "orders_remaining": 8
                     *         },
                     *         {
                     *           "id": "0190a000-0000-7000-8000-00000000011f",
                     *           "starts_at": "2026-11-23T22:00:00.000000Z",
                     *           "ends_at": "2026-11-23T23:00:00.000000Z",
                     *           "orders_remaining": 8
                     *         },
                     *         {
                     *           "id": "0190a000-0000-7000-8000-000000000120",
                     *           "starts_at": "2026-11-23T23:00:00.000000Z",
                     *           "ends_at": "2026-11-24T00:00:00.000000Z",
                     *           "orders_remaining": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        slots: components["schemas"]["OpenSlot"][];
                    };
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            /** @enum {string} */
                            code: "INTERNAL" | "INVALID_JSON" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "PAYLOAD_TOO_LARGE" | "RATE_LIMITED" | "STORE_FORBIDDEN" | "STORE_NOT_FOUND" | "UNAUTHENTICATED" | "UNSUPPORTED_MEDIA_TYPE" | "UPSTREAM_UNAVAILABLE" | "VALIDATION_FAILED" | "WRONG_TOKEN_TYPE";
                            message: string;
                            requestId: string;
                        };
                    };
                };
            };
        };
    };
    listQueueEntries: {
        parameters: {
            query: {
                /**
                 * @description The store. It also authorises a merchant or staff caller.
                 * @example 0190a000-0000-7000-8000-000000000002
                 */
                store_id: string;
            };
            header?: {
                /** @description The id of the request in responses and logs. Generated when absent. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "entries": [
                     *         {
                     *           "entry_id": "3dcadadc-8937-4f2a-b35a-9d818fa09254",
                     *           "store_id": "0190a000-0000-7000-8000-000000000002",
                     *           "customer_id": null,
                     *           "guest_name": "Dee",
                     *           "service_id": null,
                     *           "preferred_unit_id": null,
                     *           "party_size": 1,
                     *           "status": "waiting",
                     *           "joined_at": "2026-11-22T18:59:16.067000Z",
                     *           "called_at": null,
                     *           "quoted_wait_min": 0,
                     *           "appointment_id": null,
                     *           "queue_position": 1,
                     *           "expected_wait_min": 0,
                     *           "expected_start": "2026-11-22T18:59:16.459Z",
                     *           "suggested_unit_id": "0190a000-0000-7000-8000-000000000711",
                     *           "guest_phone": null,
                     *           "hold_until": null
                     *         }
                     *       ],
                     *       "called_hold_minutes": 5
                     *     }
                     */
                    "application/json": {
                        called_hold_minutes: number;
                        entries: components["schemas"]["MerchantQueueEntry"][];
                    };
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            /** @enum {string} */
                            code: "INTERNAL" | "INVALID_JSON" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "PAYLOAD_TOO_LARGE" | "RATE_LIMITED" | "STORE_FORBIDDEN" | "STORE_NOT_FOUND" | "UNAUTHENTICATED" | "UNSUPPORTED_MEDIA_TYPE" | "UPSTREAM_UNAVAILABLE" | "VALIDATION_FAILED" | "WRONG_TOKEN_TYPE";
                            message: string;
                            requestId: string;
                        };
                    };
                };
            };
        };
    };
    assignQueueEntry: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key returns the first response again, for 24 hours, when that was a success or a final refusal. After any other response a repeat runs the operation again. */
                "Idempotency-Key"?: string;
                /** @description The id of the request in responses and logs. Generated when absent. */
                "X-Request-Id"?: string;
            };
            path: {
                /**
                 * @description The place in the queue, as joinQueue returned it.
                 * @example 4f7f3d0e-6a0b-4f7e-9a53-0a4a7f1b2c3d
                 */
                entry_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "store_id": "0190a000-0000-7000-8000-000000000002"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The store. It also authorises a merchant or staff caller.
                     */
                    store_id: string;
                    /** @description The chair. */
                    unit_id?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "entry": {
                     *         "entry_id": "120f7820-b79c-4437-98aa-053c2a9d9bf3",
                     *         "store_id": "0190a000-0000-7000-8000-000000000002",
                     *         "customer_id": null,
                     *         "guest_name": "Dee",
                     *         "service_id": null,
                     *         "preferred_unit_id": null,
                     *         "party_size": 1,
                     *         "status": "assigned",
                     *         "joined_at": "2026-11-22T18:59:22.931000Z",
                     *         "called_at": null,
                     *         "quoted_wait_min": 0,
                     *         "appointment_id": "01a204a0-9bd3-7313-ba19-9f079f4024c8",
                     *         "queue_position": null,
                     *         "expected_wait_min": null,
                     *         "expected_start": null,
                     *         "suggested_unit_id": null,
                     *         "guest_phone": null,
                     *         "hold_until": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        entry: components["schemas"]["MerchantQueueEntry"];
                    };
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            /** @enum {string} */
                            code: "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REQUIRED" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL" | "INVALID_JSON" | "INVALID_TRANSITION" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "NO_CAPACITY_TODAY" | "PAYLOAD_TOO_LARGE" | "QUEUE_ENTRY_NOT_FOUND" | "RATE_LIMITED" | "STORE_FORBIDDEN" | "UNAUTHENTICATED" | "UNIT_NOT_FOUND" | "UNSUPPORTED_MEDIA_TYPE" | "UPSTREAM_UNAVAILABLE" | "VALIDATION_FAILED" | "WRONG_TOKEN_TYPE";
                            message: string;
                            requestId: string;
                        };
                    };
                };
            };
        };
    };
    callQueueEntry: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key returns the first response again, for 24 hours, when that was a success or a final refusal. After any other response a repeat runs the operation again. */
                "Idempotency-Key"?: string;
                /** @description The id of the request in responses and logs. Generated when absent. */
                "X-Request-Id"?: string;
            };
            path: {
                /**
                 * @description The place in the queue, as joinQueue returned it.
                 * @example 4f7f3d0e-6a0b-4f7e-9a53-0a4a7f1b2c3d
                 */
                entry_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "store_id": "0190a000-0000-7000-8000-000000000002"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The store. It also authorises a merchant or staff caller.
                     */
                    store_id: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "entry": {
                     *         "entry_id": "120f7820-b79c-4437-98aa-053c2a9d9bf3",
                     *         "store_id": "0190a000-0000-7000-8000-000000000002",
                     *         "customer_id": null,
                     *         "guest_name": "Dee",
                     *         "service_id": null,
                     *         "preferred_unit_id": null,
                     *         "party_size": 1,
                     *         "status": "called",
                     *         "joined_at": "2026-11-22T18:59:22.931000Z",
                     *         "called_at": "2026-11-22T18:59:23.467000Z",
                     *         "quoted_wait_min": 0,
                     *         "appointment_id": null,
                     *         "queue_position": null,
                     *         "expected_wait_min": null,
                     *         "expected_start": null,
                     *         "suggested_unit_id": null,
                     *         "guest_phone": null,
                     *         "hold_until": "2026-11-22T19:04:23.467000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        entry: components["schemas"]["MerchantQueueEntry"];
                    };
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            /** @enum {string} */
                            code: "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REQUIRED" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL" | "INVALID_JSON" | "INVALID_TRANSITION" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "PAYLOAD_TOO_LARGE" | "QUEUE_ENTRY_NOT_FOUND" | "RATE_LIMITED" | "STORE_FORBIDDEN" | "UNAUTHENTICATED" | "UNSUPPORTED_MEDIA_TYPE" | "UPSTREAM_UNAVAILABLE" | "VALIDATION_FAILED" | "WRONG_TOKEN_TYPE";
                            message: string;
                            requestId: string;
                        };
                    };
                };
            };
        };
    };
    completeQueueEntry: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key returns the first response again, for 24 hours, when that was a success or a final refusal. After any other response a repeat runs the operation again. */
                "Idempotency-Key"?: string;
                /** @description The id of the request in responses and logs. Generated when absent. */
                "X-Request-Id"?: string;
            };
            path: {
                /**
                 * @description The place in the queue, as joinQueue returned it.
                 * @example 4f7f3d0e-6a0b-4f7e-9a53-0a4a7f1b2c3d
                 */
                entry_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "store_id": "0190a000-0000-7000-8000-000000000002"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The store. It also authorises a merchant or staff caller.
                     */
                    store_id: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "entry": {
                     *         "entry_id": "120f7820-b79c-4437-98aa-053c2a9d9bf3",
                     *         "store_id": "0190a000-0000-7000-8000-000000000002",
                     *         "customer_id": null,
                     *         "guest_name": "Dee",
                     *         "service_id": null,
                     *         "preferred_unit_id": null,
                     *         "party_size": 1,
                     *         "status": "completed",
                     *         "joined_at": "2026-11-22T18:59:22.931000Z",
                     *         "called_at": null,
                     *         "quoted_wait_min": 0,
                     *         "appointment_id": "01a204a0-9bd3-7313-ba19-9f079f4024c8",
                     *         "queue_position": null,
                     *         "expected_wait_min": null,
                     *         "expected_start": null,
                     *         "suggested_unit_id": null,
                     *         "guest_phone": null,
                     *         "hold_until": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        entry: components["schemas"]["MerchantQueueEntry"];
                    };
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            /** @enum {string} */
                            code: "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REQUIRED" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL" | "INVALID_JSON" | "INVALID_TRANSITION" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "PAYLOAD_TOO_LARGE" | "QUEUE_ENTRY_NOT_FOUND" | "RATE_LIMITED" | "STORE_FORBIDDEN" | "UNAUTHENTICATED" | "UNSUPPORTED_MEDIA_TYPE" | "UPSTREAM_UNAVAILABLE" | "VALIDATION_FAILED" | "WRONG_TOKEN_TYPE";
                            message: string;
                            requestId: string;
                        };
                    };
                };
            };
        };
    };
    convertQueueEntry: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key returns the first response again, for 24 hours, when that was a success or a final refusal. After any other response a repeat runs the operation again. */
                "Idempotency-Key"?: string;
                /** @description The id of the request in responses and logs. Generated when absent. */
                "X-Request-Id"?: string;
            };
            path: {
                /**
                 * @description The place in the queue, as joinQueue returned it.
                 * @example 4f7f3d0e-6a0b-4f7e-9a53-0a4a7f1b2c3d
                 */
                entry_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "store_id": "0190a000-0000-7000-8000-000000000002"
                 *     }
                 */
                "application/json": {
                    /** @description The booking in the diary. Null when it is not made yet. */
                    appointment_id?: string | null;
                    /**
                     * Format: uuid
                     * @description The store. It also authorises a merchant or staff caller.
                     */
                    store_id: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "entry": {
                     *         "entry_id": "6fb0d9d3-1085-43f3-89f4-e0acd20c0ee9",
                     *         "store_id": "0190a000-0000-7000-8000-000000000002",
                     *         "customer_id": null,
                     *         "guest_name": "Dee",
                     *         "service_id": null,
                     *         "preferred_unit_id": null,
                     *         "party_size": 1,
                     *         "status": "converted_to_appointment",
                     *         "joined_at": "2026-11-22T18:59:25.138000Z",
                     *         "called_at": null,
                     *         "quoted_wait_min": 0,
                     *         "appointment_id": null,
                     *         "queue_position": null,
                     *         "expected_wait_min": null,
                     *         "expected_start": null,
                     *         "suggested_unit_id": null,
                     *         "guest_phone": null,
                     *         "hold_until": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        entry: components["schemas"]["MerchantQueueEntry"];
                    };
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            /** @enum {string} */
                            code: "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REQUIRED" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL" | "INVALID_JSON" | "INVALID_TRANSITION" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "PAYLOAD_TOO_LARGE" | "QUEUE_ENTRY_NOT_FOUND" | "RATE_LIMITED" | "STORE_FORBIDDEN" | "UNAUTHENTICATED" | "UNSUPPORTED_MEDIA_TYPE" | "UPSTREAM_UNAVAILABLE" | "VALIDATION_FAILED" | "WRONG_TOKEN_TYPE";
                            message: string;
                            requestId: string;
                        };
                    };
                };
            };
        };
    };
    noShowQueueEntry: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key returns the first response again, for 24 hours, when that was a success or a final refusal. After any other response a repeat runs the operation again. */
                "Idempotency-Key"?: string;
                /** @description The id of the request in responses and logs. Generated when absent. */
                "X-Request-Id"?: string;
            };
            path: {
                /**
                 * @description The place in the queue, as joinQueue returned it.
                 * @example 4f7f3d0e-6a0b-4f7e-9a53-0a4a7f1b2c3d
                 */
                entry_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "store_id": "0190a000-0000-7000-8000-000000000002"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The store. It also authorises a merchant or staff caller.
                     */
                    store_id: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "entry": {
                     *         "entry_id": "5417ca42-716c-4aee-8643-15fa88fa5834",
                     *         "store_id": "0190a000-0000-7000-8000-000000000002",
                     *         "customer_id": null,
                     *         "guest_name": "Dee",
                     *         "service_id": null,
                     *         "preferred_unit_id": null,
                     *         "party_size": 1,
                     *         "status": "no_show",
                     *         "joined_at": "2026-11-22T18:59:24.713000Z",
                     *         "called_at": null,
                     *         "quoted_wait_min": 0,
                     *         "appointment_id": "01a204a0-9e12-7ed4-b5c1-d18eee9b7993",
                     *         "queue_position": null,
                     *         "expected_wait_min": null,
                     *         "expected_start": null,
                     *         "suggested_unit_id": null,
                     *         "guest_phone": null,
                     *         "hold_until": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        entry: components["schemas"]["MerchantQueueEntry"];
                    };
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            /** @enum {string} */
                            code: "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REQUIRED" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL" | "INVALID_JSON" | "INVALID_TRANSITION" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "PAYLOAD_TOO_LARGE" | "QUEUE_ENTRY_NOT_FOUND" | "RATE_LIMITED" | "STORE_FORBIDDEN" | "UNAUTHENTICATED" | "UNSUPPORTED_MEDIA_TYPE" | "UPSTREAM_UNAVAILABLE" | "VALIDATION_FAILED" | "WRONG_TOKEN_TYPE";
                            message: string;
                            requestId: string;
                        };
                    };
                };
            };
        };
    };
    recallQueueEntry: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key returns the first response again, for 24 hours, when that was a success or a final refusal. After any other response a repeat runs the operation again. */
                "Idempotency-Key"?: string;
                /** @description The id of the request in responses and logs. Generated when absent. */
                "X-Request-Id"?: string;
            };
            path: {
                /**
                 * @description The place in the queue, as joinQueue returned it.
                 * @example 4f7f3d0e-6a0b-4f7e-9a53-0a4a7f1b2c3d
                 */
                entry_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "store_id": "0190a000-0000-7000-8000-000000000002"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The store. It also authorises a merchant or staff caller.
                     */
                    store_id: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "entry": {
                     *         "entry_id": "120f7820-b79c-4437-98aa-053c2a9d9bf3",
                     *         "store_id": "0190a000-0000-7000-8000-000000000002",
                     *         "customer_id": null,
                     *         "guest_name": "Dee",
                     *         "service_id": null,
                     *         "preferred_unit_id": null,
                     *         "party_size": 1,
                     *         "status": "waiting",
                     *         "joined_at": "2026-11-22T18:59:22.931000Z",
                     *         "called_at": null,
                     *         "quoted_wait_min": 0,
                     *         "appointment_id": null,
                     *         "queue_position": 2,
                     *         "expected_wait_min": 0,
                     *         "expected_start": "2026-11-22T18:59:23.892Z",
                     *         "suggested_unit_id": "0190a000-0000-7000-8000-000000000712",
                     *         "guest_phone": null,
                     *         "hold_until": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        entry: components["schemas"]["MerchantQueueEntry"];
                    };
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            /** @enum {string} */
                            code: "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REQUIRED" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL" | "INVALID_JSON" | "INVALID_TRANSITION" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "PAYLOAD_TOO_LARGE" | "QUEUE_ENTRY_NOT_FOUND" | "RATE_LIMITED" | "STORE_FORBIDDEN" | "UNAUTHENTICATED" | "UNSUPPORTED_MEDIA_TYPE" | "UPSTREAM_UNAVAILABLE" | "VALIDATION_FAILED" | "WRONG_TOKEN_TYPE";
                            message: string;
                            requestId: string;
                        };
                    };
                };
            };
        };
    };
    joinQueue: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key returns the first response again, for 24 hours, when that was a success or a final refusal. After any other response a repeat runs the operation again. */
                "Idempotency-Key"?: string;
                /** @description The id of the request in responses and logs. Generated when absent. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "store_id": "0190a000-0000-7000-8000-000000000002",
                 *       "party_size": 1,
                 *       "guest_name": "Dee"
                 *     }
                 */
                "application/json": {
                    /** @description The place that a signed-in customer took as a guest: it becomes theirs and stays where it is. Ignored for a guest. */
                    entry_id?: string | null;
                    /** @description Ignored for a signed-in customer. */
                    guest_name?: string | null;
                    /** @description Where the store can reach a guest, and where a text is sent when it is their turn. Ignored for a signed-in customer. */
                    guest_phone?: string | null;
                    /**
                     * @description How many people come together.
                     * @default 1
                     */
                    party_size?: number;
                    /** @description A specific chair. Any chair when absent. */
                    preferred_unit_id?: string | null;
                    /** @description The requested service. It determines the expected wait. */
                    service_id?: string | null;
                    /**
                     * Format: uuid
                     * @description The store. It also authorises a merchant or staff caller.
                     */
                    store_id: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "entry_id": "3dcadadc-8937-4f2a-b35a-9d818fa09254",
                     *       "reused": false,
                     *       "expected_wait_min": 0,
                     *       "status": "waiting"
                     *     }
                     */
                    "application/json": {
                        entry_id: string;
                        expected_wait_min: number;
                        reused: boolean;
                        /** @enum {string} */
                        status: "waiting" | "called" | "assigned" | "completed" | "left" | "no_show" | "converted_to_appointment";
                    };
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            /** @enum {string} */
                            code: "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REQUIRED" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL" | "INVALID_JSON" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "NO_CAPACITY_TODAY" | "PAYLOAD_TOO_LARGE" | "QUEUE_ENTRY_NOT_FOUND" | "RATE_LIMITED" | "SERVICE_NOT_FOUND" | "STORE_FORBIDDEN" | "STORE_NOT_FOUND" | "UNAUTHENTICATED" | "UNIT_NOT_FOUND" | "UNSUPPORTED_MEDIA_TYPE" | "UPSTREAM_UNAVAILABLE" | "VALIDATION_FAILED" | "WALK_INS_NOT_ACCEPTED" | "WRONG_TOKEN_TYPE";
                            message: string;
                            requestId: string;
                        };
                    };
                };
            };
        };
    };
    leaveQueue: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key returns the first response again, for 24 hours, when that was a success or a final refusal. After any other response a repeat runs the operation again. */
                "Idempotency-Key"?: string;
                /** @description The id of the request in responses and logs. Generated when absent. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "entry_id": "4f7f3d0e-6a0b-4f7e-9a53-0a4a7f1b2c3d"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The place in the queue, as joinQueue returned it.
                     */
                    entry_id: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "entry_id": "953cdee5-f4c7-48f9-858e-4264a4ba91ab",
                     *       "status": "left",
                     *       "noop": false
                     *     }
                     */
                    "application/json": {
                        entry_id: string;
                        noop: boolean;
                        /** @enum {string} */
                        status: "waiting" | "called" | "assigned" | "completed" | "left" | "no_show" | "converted_to_appointment";
                    };
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            /** @enum {string} */
                            code: "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REQUIRED" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL" | "INVALID_JSON" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "PAYLOAD_TOO_LARGE" | "QUEUE_ENTRY_NOT_FOUND" | "RATE_LIMITED" | "STORE_FORBIDDEN" | "UNAUTHENTICATED" | "UNSUPPORTED_MEDIA_TYPE" | "UPSTREAM_UNAVAILABLE" | "VALIDATION_FAILED" | "WRONG_TOKEN_TYPE";
                            message: string;
                            requestId: string;
                        };
                    };
                };
            };
        };
    };
    queueStatus: {
        parameters: {
            query?: {
                /**
                 * @description The place in the queue, as joinQueue returned it.
                 * @example 4f7f3d0e-6a0b-4f7e-9a53-0a4a7f1b2c3d
                 */
                entry_id?: string;
                /** @description Ignored for a guest. */
                store_id?: string;
            };
            header?: {
                /** @description The ETag of the reply that the caller has. */
                "If-None-Match"?: string;
                /** @description Of a stream: the id of the last event that the client has. */
                "Last-Event-ID"?: string;
                /** @description The id of the request in responses and logs. Generated when absent. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "entry": null,
                     *       "called_hold_minutes": 5
                     *     }
                     */
                    "application/json": {
                        /** @description How long the place of a called walk-in is held. */
                        called_hold_minutes: number;
                        entry: components["schemas"]["QueueEntry"] | null;
                    };
                    "text/event-stream": components["schemas"]["Changes"];
                };
            };
            /** @description Refused or failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            /** @enum {string} */
                            code: "INTERNAL" | "INVALID_JSON" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "PAYLOAD_TOO_LARGE" | "RATE_LIMITED" | "STORE_FORBIDDEN" | "UNAUTHENTICATED" | "UNSUPPORTED_MEDIA_TYPE" | "UPSTREAM_UNAVAILABLE" | "VALIDATION_FAILED" | "WRONG_TOKEN_TYPE";
                            message: string;
                            requestId: string;
                        };
                    };
                };
            };
        };
    };
}

/** Every error code of this version of the interface. */
export type ErrorCode =
    | "INVALID_JSON"
    | "MALFORMED_REQUEST"
    | "VALIDATION_FAILED"
    | "IDEMPOTENCY_KEY_REQUIRED"
    | "UNAUTHENTICATED"
    | "WRONG_TOKEN_TYPE"
    | "STORE_FORBIDDEN"
    | "INSUFFICIENT_SCOPE"
    | "ROUTE_NOT_FOUND"
    | "METHOD_NOT_ALLOWED"
    | "NOT_ACCEPTABLE"
    | "REQUEST_TIMEOUT"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "HEADERS_TOO_LARGE"
    | "EXPECTATION_FAILED"
    | "IDEMPOTENCY_KEY_REUSED"
    | "IDEMPOTENCY_IN_PROGRESS"
    | "RATE_LIMITED"
    | "INTERNAL"
    | "NOT_IMPLEMENTED"
    | "UPSTREAM_UNAVAILABLE"
    | "STORE_NOT_FOUND"
    | "INVALID_CURSOR"
    | "ORDER_NOT_FOUND"
    | "STORE_CODE_MISMATCH"
    | "STORE_NOT_ACCEPTING_ORDERS"
    | "STORE_CLOSED"
    | "ITEM_NOT_FOUND"
    | "OUT_OF_STOCK"
    | "SLOT_NOT_FOUND"
    | "SLOT_CLOSED"
    | "SLOT_JUST_FILLED"
    | "SLOT_MISMATCH"
    | "GROUPS_MISMATCH"
    | "PROMO_INVALID"
    | "PROMO_EXPIRED"
    | "PROMO_NOT_APPLICABLE"
    | "PROMO_LIMIT_REACHED"
    | "VOUCHER_NOT_FOUND"
    | "VOUCHER_EXPIRED"
    | "VOUCHER_RESERVED"
    | "VOUCHER_ALREADY_REDEEMED"
    | "VOUCHER_VOIDED"
    | "VOUCHER_NOT_APPLICABLE"
    | "AMOUNT_BELOW_MINIMUM"
    | "ORDER_NOT_PAID"
    | "INVALID_TRANSITION"
    | "FULFILMENT_NOT_APPLICABLE"
    | "NOTE_REQUIRED"
    | "ORDER_TERMINAL"
    | "INVALID_ETA"
    | "REFUND_WINDOW_EXPIRED"
    | "ALREADY_REFUNDED"
    | "ORDER_DISPUTED"
    | "REFUND_LIMIT_REACHED"
    | "REFUND_AMOUNT_EXCEEDS_REMAINING"
    | "REFUND_REJECTED"
    | "ORDER_NOT_READY"
    | "ORDER_HAS_NO_SLOT"
    | "NOT_EARLIER"
    | "PAYMENT_NOT_SUCCEEDED"
    | "PAYMENT_MISMATCH"
    | "PAYMENT_INTENT_NOT_ON_PLATFORM"
    | "PAYMENT_PROVIDER_ERROR"
    | "WEBHOOK_SIGNATURE_INVALID"
    | "LOYALTY_DISABLED"
    | "DAILY_LIMIT_REACHED"
    | "MONTHLY_LIMIT_REACHED"
    | "STAMP_NOT_FOUND"
    | "STAMP_ALREADY_REJECTED"
    | "STAMP_ALREADY_APPROVED"
    | "STAMP_NOT_UNDOABLE"
    | "STAMP_ALREADY_USED"
    | "CODE_NOT_FOUND"
    | "CODE_EXPIRED"
    | "CODE_ALREADY_USED"
    | "CODE_WRONG_STORE"
    | "NFC_PROOF_INCOMPLETE"
    | "NFC_PROOF_REQUIRED"
    | "NFC_PROOF_INVALID"
    | "NFC_TAG_WRONG_STORE"
    | "NFC_TAP_REPLAYED"
    | "MULTI_STAMP_DISABLED"
    | "PLAN_NOT_ENTITLED"
    | "STORE_FROZEN"
    | "MULTI_STAMP_MONTHLY_CEILING"
    | "MULTI_STAMP_PENDING"
    | "MULTI_STAMP_EXPIRED"
    | "NO_PENDING_REQUEST"
    | "STAFF_CREDENTIAL_REQUIRED"
    | "STAFF_CREDENTIAL_INVALID"
    | "WALK_INS_NOT_ACCEPTED"
    | "NO_CAPACITY_TODAY"
    | "SERVICE_NOT_FOUND"
    | "UNIT_NOT_FOUND"
    | "QUEUE_ENTRY_NOT_FOUND";
/** The name of each operation, by its method and path. */
export const operationNames: { readonly [call: string]: keyof operations | undefined } = {
    "GET /api/v1/orders/stores": "listStores",
    "GET /api/v1/orders/stores/{store_id}/menu": "readMenu",
    "GET /api/v1/orders/stores/{store_id}/slots": "listOpenSlots",
    "POST /api/v1/orders": "createOrder",
    "GET /api/v1/orders": "listOrders",
    "POST /api/v1/orders/confirm": "confirmOrder",
    "GET /api/v1/orders/{orderId}/mine": "getMyOrder",
    "GET /api/v1/orders/mine": "listMyOrders",
    "POST /api/v1/orders/collect-earlier": "collectEarlier",
    "GET /api/v1/orders/{orderId}": "getOrder",
    "PATCH /api/v1/orders/{orderId}/fulfilment": "advanceFulfilment",
    "POST /api/v1/orders/{orderId}/notify-delay": "notifyDelay",
    "PATCH /api/v1/orders/{orderId}/status": "setBusinessStatus",
    "POST /api/v1/orders/{orderId}/refund": "refundOrder",
    "GET /api/v1/orders/{orderId}/log": "orderLog",
    "POST /api/v1/loyalty/stamps": "grantStamp",
    "GET /api/v1/loyalty/customer-state": "customerState",
    "POST /api/v1/loyalty/redemptions": "redeemVoucher",
    "POST /api/v1/loyalty/stamps/undo": "undoStamp",
    "POST /api/v1/loyalty/stamp-codes": "generateStampCode",
    "POST /api/v1/loyalty/stamp-codes/redeem": "redeemStampCode",
    "POST /api/v1/loyalty/stamps/sync-offline": "syncOfflineStamps",
    "POST /api/v1/loyalty/multi-stamp/request": "requestMultiStamp",
    "GET /api/v1/loyalty/multi-stamp/status": "multiStampStatus",
    "POST /api/v1/loyalty/multi-stamp/confirm": "confirmMultiStamp",
    "POST /api/v1/loyalty/multi-stamp/cancel": "cancelMultiStamp",
    "GET /api/v1/loyalty/pending-stamps": "listPendingStamps",
    "POST /api/v1/loyalty/stamps/review": "reviewStamp",
    "POST /api/v1/loyalty/pending-stamps/resolve": "resolvePendingStamp",
    "POST /api/v1/queue/join": "joinQueue",
    "GET /api/v1/queue/status": "queueStatus",
    "POST /api/v1/queue/leave": "leaveQueue",
    "GET /api/v1/queue/entries": "listQueueEntries",
    "POST /api/v1/queue/entries/{entry_id}/call": "callQueueEntry",
    "POST /api/v1/queue/entries/{entry_id}/recall": "recallQueueEntry",
    "POST /api/v1/queue/entries/{entry_id}/assign": "assignQueueEntry",
    "POST /api/v1/queue/entries/{entry_id}/complete": "completeQueueEntry",
    "POST /api/v1/queue/entries/{entry_id}/convert": "convertQueueEntry",
    "POST /api/v1/queue/entries/{entry_id}/no-show": "noShowQueueEntry",
    "POST /api/v1/notifications/marketing-opt-in": "answerMarketingOptIn",
    "GET /api/v1/notifications/preferences": "listPreferences",
    "POST /api/v1/notifications/preferences": "upsertPreferences",
    "GET /api/v1/notifications/wallet/passes": "listWalletPasses",
};
/** The operations whose body requires an idempotency_key. The client adds one where the caller gives none. */
export const keyInBody: readonly (keyof operations)[] = ["createOrder"];
