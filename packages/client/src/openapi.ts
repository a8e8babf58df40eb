// Generated from the OpenAPI document by `pnpm run specs`. Do not edit.
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
         * @description Send entry_id or, as a signed-in customer, store_id. entry is null when there is no active entry.
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
            /** Format: uuid */
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
            /** Format: uuid */
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
            /** Format: uuid */
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
                /** @example 0190a000-0000-7000-8000-0000000000a1 */
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
                    /** Format: uuid */
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
                    "application/json": {
                        cancelled: boolean;
                        previous_status?: string;
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
                    nfc_cmac?: string | null;
                    nfc_key_version?: string | null;
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
                    "application/json": {
                        expires_at: string;
                        expires_in_seconds: number;
                        request_id: string;
                        requested_stamps: number;
                    };
                };
            };
        };
    };
    multiStampStatus: {
        parameters: {
            query?: {
                /** @example S1 */
                store_code?: string;
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
        };
    };
    listPendingStamps: {
        parameters: {
            query: {
                /** @example pending */
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
                    "application/json": {
                        stamps: components["schemas"]["PendingStamp"][];
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
                    /** @enum {string} */
                    action: "approve" | "reject";
                    /** Format: uuid */
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
                    "application/json": {
                        /** @enum {string} */
                        action: "approve" | "reject";
                        result: components["schemas"]["ApprovalResult"] | null;
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
                    /** Format: uuid */
                    customer_id: string;
                    /**
                     * Format: uuid
                     * @description The store. It also authorises a merchant or staff caller.
                     */
                    store_id: string;
                    /** Format: uuid */
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
                    "application/json": {
                        redemption_code: string;
                        reward_title: string | null;
                        voucher_id: string;
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
                    nfc_cmac?: string | null;
                    nfc_key_version?: string | null;
                    nfc_picc_data?: string | null;
                    /** @description nfc or n, qr or q; anything else is web. An NFC proof makes it nfc. */
                    source?: string | null;
                    /**
                     * Format: uuid
                     * @description The store. It also authorises a merchant or staff caller.
                     */
                    store_id: string;
                    /** @default 60 */
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
                    /** Format: uuid */
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
                    /** @enum {string} */
                    action: "approve" | "reject";
                    /** Format: uuid */
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
                    stamps: {
                        nfc_cmac?: string | null;
                        nfc_key_version?: string | null;
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
                    "application/json": {
                        results: components["schemas"]["OfflineResult"][];
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
                    /** Format: uuid */
                    customer_id: string;
                    /** Format: uuid */
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
                    "application/json": {
                        current_stamps: number;
                        undone: boolean;
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
                    "application/json": {
                        ok: boolean;
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
                    "application/json": {
                        preferences: components["schemas"]["PreferenceRow"][];
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
                    classEventsEnabled?: boolean;
                    classReminders?: boolean;
                    marketingEnabled?: boolean;
                    membershipEventsEnabled?: boolean;
                    messagesMuted?: boolean;
                    penaltyEventsEnabled?: boolean;
                    stampEventsEnabled?: boolean;
                    /**
                     * Format: uuid
                     * @description The store. It also authorises a merchant or staff caller.
                     */
                    storeId: string;
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
                    "application/json": {
                        storeId: string;
                        updated: boolean;
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
                    "application/json": {
                        /** Format: date-time */
                        links_expire_at: string;
                        passes: components["schemas"]["WalletPass"][];
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
                limit?: number;
                /** @example active */
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
                    "application/json": {
                        orders: components["schemas"]["Order"][];
                        /** @enum {string} */
                        scope: "active" | "history";
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
                    /** @enum {string} */
                    collection_mode?: "now" | "scheduled";
                    /** @description An opaque text by which the app recognises its device. Only a keyed hash of it is kept. */
                    device_fingerprint?: string | null;
                    /** @description How the order is served. Collection at the counter when absent. */
                    fulfilment?: {
                        /** @enum {string} */
                        mode: "counter" | "table" | "counter_collection" | "table_service";
                        /** @description Required when mode is table. */
                        table_number?: string | null;
                    };
                    /** @description A mixed order: lines to take now, and one or more groups to collect. */
                    fulfilment_groups?: {
                        /** @enum {string} */
                        collection_mode?: "now" | "scheduled";
                        items: {
                            /** @description An item of the store’s menu. */
                            menu_item_id: string;
                            quantity: number;
                        }[];
                        requested_collection_at?: string | null;
                        /** @enum {string} */
                        role: "now" | "collect";
                        slot_id?: string | null;
                    }[];
                    /**
                     * Format: uuid
                     * @description A UUID that the client generates for the order. A repeat with the same key returns the same order.
                     */
                    idempotency_key: string;
                    /** @description With fulfilment_groups: empty, or the exact sum of the lines of all groups. */
                    items: {
                        /** @description An item of the store’s menu. */
                        menu_item_id: string;
                        quantity: number;
                    }[];
                    /** @enum {string} */
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
                        /** Format: uuid */
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
                /** @example 0190a000-0000-7000-8000-0000000000e1 */
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
                    "application/json": {
                        order: components["schemas"]["Order"];
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
                /** @example 0190a000-0000-7000-8000-0000000000e1 */
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
                    /** @enum {string} */
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
                    "application/json": {
                        order: components["schemas"]["Order"];
                    };
                };
            };
        };
    };
    orderLog: {
        parameters: {
            query?: {
                /** @example 0190a000-0000-7000-8000-000000000001 */
                store_id?: string;
            };
            header?: {
                /** @description The id of the request in responses and logs. Generated when absent. */
                "X-Request-Id"?: string;
            };
            path: {
                /** @example 0190a000-0000-7000-8000-0000000000e1 */
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
                    "application/json": {
                        entries: components["schemas"]["OrderLogEntry"][];
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
                /** @example 0190a000-0000-7000-8000-0000000000e1 */
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
                /** @example 0190a000-0000-7000-8000-0000000000e1 */
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
                    "application/json": {
                        refund: components["schemas"]["Refund"];
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
                /** @example 0190a000-0000-7000-8000-0000000000e1 */
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
                    /** @enum {string} */
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
                    "application/json": {
                        order: components["schemas"]["OrderStatusView"];
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
                    /** Format: uuid */
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
                        /** Format: uuid */
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
                    "application/json": {
                        called_hold_minutes: number;
                        entries: components["schemas"]["MerchantQueueEntry"][];
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
                /** @example 4f7f3d0e-6a0b-4f7e-9a53-0a4a7f1b2c3d */
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
                    "application/json": {
                        entry: components["schemas"]["MerchantQueueEntry"];
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
                /** @example 4f7f3d0e-6a0b-4f7e-9a53-0a4a7f1b2c3d */
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
                    "application/json": {
                        entry: components["schemas"]["MerchantQueueEntry"];
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
                /** @example 4f7f3d0e-6a0b-4f7e-9a53-0a4a7f1b2c3d */
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
                    "application/json": {
                        entry: components["schemas"]["MerchantQueueEntry"];
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
                /** @example 4f7f3d0e-6a0b-4f7e-9a53-0a4a7f1b2c3d */
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
                    "application/json": {
                        entry: components["schemas"]["MerchantQueueEntry"];
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
                /** @example 4f7f3d0e-6a0b-4f7e-9a53-0a4a7f1b2c3d */
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
                    "application/json": {
                        entry: components["schemas"]["MerchantQueueEntry"];
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
                /** @example 4f7f3d0e-6a0b-4f7e-9a53-0a4a7f1b2c3d */
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
                    "application/json": {
                        entry: components["schemas"]["MerchantQueueEntry"];
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
                    /** @default 1 */
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
                    "application/json": {
                        entry_id: string;
                        expected_wait_min: number;
                        reused: boolean;
                        /** @enum {string} */
                        status: "waiting" | "called" | "assigned" | "completed" | "left" | "no_show" | "converted_to_appointment";
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
                    /** Format: uuid */
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
                    "application/json": {
                        entry_id: string;
                        noop: boolean;
                        /** @enum {string} */
                        status: "waiting" | "called" | "assigned" | "completed" | "left" | "no_show" | "converted_to_appointment";
                    };
                };
            };
        };
    };
    queueStatus: {
        parameters: {
            query?: {
                /** @example 4f7f3d0e-6a0b-4f7e-9a53-0a4a7f1b2c3d */
                entry_id?: string;
                /** @description Ignored for a guest. */
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
                    "application/json": {
                        /** @description How long the place of a called walk-in is held. */
                        called_hold_minutes: number;
                        entry: components["schemas"]["QueueEntry"] | null;
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
